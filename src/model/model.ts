// The merged project: plain readonly data without optional fields, sorted by name, without secrets. Left of it nobody
// knows an agent, right of it nobody knows YAML. Made by `src/merge` alone.
import type { Span } from "../diagnostics/diagnostic.ts";

/** Outermost first; an inner layer can only narrow what an outer one defines. */
export const LAYERS = ["team", "machine", "root", "project"] as const;
export type LayerName = (typeof LAYERS)[number];

/** Who said something, and where. */
export interface Origin {
  readonly layer: LayerName;
  readonly at: Span;
}

export interface Sourced<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** Text with `${NAME}` references taken apart: `$$` is already a plain `$` in a literal. */
export type Template = readonly TemplatePart[];
export type TemplatePart =
  { readonly literal: string } | { readonly reference: string };

/** A tool name or a pattern with `*`, as written. */
export interface ToolRule {
  readonly text: string;
  readonly origin: Origin;
}

export type Allow =
  /** The layer says nothing: it adds no limit. */
  | { readonly kind: "silent" }
  | { readonly kind: "all"; readonly origin: Origin }
  | {
      readonly kind: "only";
      readonly rules: readonly ToolRule[];
      readonly origin: Origin;
    };

/** What one layer says about the tools of a server. Layers are never merged as text. */
export interface ToolLayer {
  readonly layer: LayerName;
  readonly allow: Allow;
  readonly ask: readonly ToolRule[];
  readonly deny: readonly ToolRule[];
}

export type TokenUse =
  | { readonly kind: "none" }
  /** `Authorization: Bearer TOKEN`. */
  | { readonly kind: "bearer"; readonly origin: Origin }
  /** `NAME: TOKEN`. */
  | {
      readonly kind: "header";
      readonly header: string;
      readonly origin: Origin;
    };

export interface HttpTransport {
  readonly kind: "http";
  /** WHATWG serialisation. */
  readonly url: string;
  readonly scheme: "http" | "https";
  /** Lower case, no brackets around IPv6. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  readonly loopback: boolean;
  /** What is connected to instead of `host` and `port`: a Unix socket or a named pipe of this machine. */
  readonly socket: {
    readonly kind: "unix" | "pipe";
    readonly path: string;
  } | null;
  /** A socket that belongs to root or another user may be used as well. */
  readonly systemSocket: boolean;
  readonly headers: readonly NamedTemplate[];
  readonly token: TokenUse;
  readonly origin: Origin;
}

export interface StdioTransport {
  readonly kind: "stdio";
  /** At least one word. */
  readonly command: readonly Sourced<Template>[];
  readonly env: readonly NamedTemplate[];
  /** "default": the folder of the project's file, or an empty folder of its own for a machine's server. */
  readonly cwd: Sourced<string> | ProjectFolder | "default";
  readonly isolation: Isolation;
  readonly origin: Origin;
}

/** `cwd: project`: the project's folder, for a server of an outer layer. */
export interface ProjectFolder {
  readonly project: true;
  readonly origin: Origin;
}

/** What keeps a local server from the rest of the machine. Only `fenzi guard` can hold it. */
export type Isolation =
  | { readonly kind: "none" }
  | { readonly kind: "bubblewrap"; readonly origin: Origin }
  | {
      readonly kind: "container";
      readonly image: string;
      readonly network: "none" | "hosts";
      /** The image's own files cannot be changed. */
      readonly readOnly: boolean;
      readonly origin: Origin;
    };

export interface NamedTemplate {
  readonly name: string;
  readonly value: Template;
  readonly origin: Origin;
}

export type Transport = HttpTransport | StdioTransport;

/** Milliseconds or bytes, and who said so. */
export interface Limit {
  readonly value: number;
  readonly origin: Origin | "default";
}

export interface ServerLimits {
  /** Milliseconds until a call's answer is complete. */
  readonly call: Limit;
  /** Bytes of one request. */
  readonly request: Limit;
  /** Bytes of one answer, or of one event of it. */
  readonly response: Limit;
}

/** So many calls in a window of milliseconds. */
export interface Rate {
  readonly calls: number;
  readonly window: number;
  readonly origin: Origin;
}

/** What one layer says about the files that a server's arguments may name. */
export interface PathLayer {
  readonly layer: LayerName;
  /** Real, absolute: what relative globs are relative to. */
  readonly folder: string;
  readonly read: readonly Sourced<string>[];
  readonly write: readonly Sourced<string>[];
  readonly origin: Origin;
  /** False for what holds without a line. */
  readonly written: boolean;
}

/** What one layer says about the hosts that a server's arguments may name; null where it says nothing. */
export interface HostLayer {
  readonly layer: LayerName;
  readonly allow: readonly Sourced<string>[] | null;
  readonly ports: readonly Sourced<number>[] | null;
  readonly origin: Origin;
}

/** Files that no call may name, of one place: a `private` list, or a `.fenziignore`. */
export interface PrivateList {
  readonly kind: "private" | ".fenziignore";
  /** Real, absolute: what relative globs are relative to. */
  readonly folder: string;
  readonly lines: readonly Sourced<string>[];
}

/** RE2 expressions. */
export interface SecretRules {
  readonly refuse: readonly Sourced<string>[];
  readonly redact: readonly Sourced<string>[];
}

/** What holds for every server. */
export interface CommonRules {
  readonly airGap: Sourced<boolean> | "off";
  readonly private: readonly PrivateList[];
  readonly secrets: SecretRules;
  readonly own: OwnPlaces;
}

/** Real, absolute. */
export interface OwnPlaces {
  readonly home: string;
  /** The folders of Fenzi's own files. */
  readonly folders: readonly string[];
}

export interface Narrowing {
  readonly origin: Origin;
  /** The key that narrowed: "tools.allow", "tools.ask", "tools.deny", "enabled", "limits.call", … */
  readonly what: string;
}

export interface Server {
  readonly name: string;
  /** The layer that gives the transport, at the server's name. */
  readonly origin: Origin;
  readonly transport: Transport;
  readonly enabled: { readonly value: boolean; readonly origin: Origin };
  /** Outermost first; one entry for each layer that names the server. */
  readonly tools: readonly ToolLayer[];
  readonly limits: ServerLimits;
  /** Each holds. */
  readonly rates: readonly Rate[];
  /** Real, absolute: where relative paths in arguments start unless `cwd` says otherwise. */
  readonly folder: string;
  /** Outermost first; one entry for each layer that says something. Each holds. */
  readonly paths: readonly PathLayer[];
  readonly hosts: readonly HostLayer[];
  /** Tools that only read, as the layer lists them that defines the server. */
  readonly reads: readonly ToolRule[];
  readonly narrowedBy: readonly Narrowing[];
}

/**
 * Hashes of what a server offered when a person looked at it: lower-case hex SHA-256 of canonical JSON. What has another
 * one, or is not among them, is hidden and refused.
 */
export interface Pins {
  /** The server's entry in a `fenzi.lock`; null: the person's own, kept in the state folder. */
  readonly origin: Origin | null;
  /** Null: it had none. */
  readonly instructions: string | null;
  /** By the tool's name. */
  readonly tools: ReadonlyMap<string, string>;
}

export interface LayerFile {
  readonly layer: LayerName;
  /** Absolute path. */
  readonly file: string;
  /** What trust is given to: see `FileText` of `src/read`. */
  readonly hash: string;
  /** True when the file adds servers, so that it waits for trust. Only for root and project. */
  readonly adds: boolean;
}

export interface Json {
  readonly [key: string]: JsonValue;
}
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | Json;

/** Native settings of one agent, laid under ours. */
export interface AgentSettings {
  readonly agent: string;
  readonly config: Json;
  readonly origin: Origin;
}

export interface Model extends CommonRules {
  /** The folder of the nearest fenzi.yaml, or the current folder. Absolute. */
  readonly project: string;
  /** The repository's root (nearest folder with `.git`), or `project`. Absolute. */
  readonly repository: string;
  readonly layers: readonly LayerFile[];
  /** Sorted by name, disabled ones included. */
  readonly servers: readonly Server[];
  /** What the `fenzi.lock` beside each file pins, by the server's name, outermost first. */
  readonly locked: ReadonlyMap<string, readonly Pins[]>;
  readonly agents: readonly AgentSettings[];
}
