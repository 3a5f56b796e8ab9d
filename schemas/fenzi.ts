// The shape of fenzi.yaml and of the machine file, as people write them. The published JSON Schemas are generated from
// here; what needs more than the shape is checked in `src/validate`.
import * as z from "zod";

const text = z.string();

const tools = z
  .union([
    z.literal("all").describe("Every tool the server offers, now and later."),
    z.strictObject({
      allow: z
        .union([z.literal("all"), z.array(text)])
        .optional()
        .describe(
          "`all`, or a list of tool names. `*` stands for any run of characters. `[]` allows none.",
        ),
      ask: z
        .array(text)
        .optional()
        .describe(
          "Tools that a person must approve at each call. A tool must be allowed as well.",
        ),
      deny: z
        .array(text)
        .optional()
        .describe("Tools that are refused, whatever `allow` says."),
      reads: z
        .array(text)
        .optional()
        .describe(
          "Tools that only read: a path need only be under `paths.read` for them. Without it every tool may write.",
        ),
    }),
  ])
  .describe(
    "Which tools may be called. Without it a remote server has none and a local one has all.",
  );

const limits = z
  .strictObject({
    call: text
      .optional()
      .describe(
        "How long one call may take until its answer is complete: `30s`, `500ms`. Without it 60s.",
      ),
    request: text
      .optional()
      .describe("The largest request: `512KiB`, `8MiB`. Without it 4MiB."),
    response: text
      .optional()
      .describe(
        "The largest answer, or event of an answer: `512KiB`, `8MiB`. Without it 16MiB.",
      ),
    rate: text
      .optional()
      .describe(
        "How many calls may be made, by all clients together: `60/min`, `2/s`, `500/h`. Without it any number.",
      ),
  })
  .describe(
    "Bounds of each call. The gateway holds them; an agent's own file cannot.",
  );

const isolation = z
  .union([
    z.literal("none"),
    z.literal("bubblewrap"),
    z.strictObject({
      image: text.describe(
        "The image of the container, as `docker run` takes it.",
      ),
      network: z
        .union([z.literal("none"), z.literal("hosts")])
        .optional()
        .describe(
          "`hosts`: only the server's `hosts`, through Fenzi's proxy. Without it no network.",
        ),
      readOnly: z
        .boolean()
        .optional()
        .describe(
          "`false`: the server may change the files of the image, in its own copy.",
        ),
    }),
  ])
  .describe(
    "What keeps a local server from the rest of the machine: `bubblewrap`, or a container of an image. `fenzi guard` holds it.",
  );

const paths = z
  .strictObject({
    read: z
      .array(text)
      .optional()
      .describe("What a tool that is listed under `tools.reads` may name."),
    write: z
      .array(text)
      .optional()
      .describe(
        "What any tool may name; it may be read as well. Without it nothing may be written.",
      ),
  })
  .describe(
    "Files that arguments may name, as globs relative to this file's folder, or absolute. Without it a local server has its project's folder, and a remote one only the private files are kept from.",
  );

const hosts = z
  .strictObject({
    allow: z
      .array(text)
      .optional()
      .describe("Names of hosts, addresses, or `*.example.com`."),
    ports: z.array(z.number()).optional().describe("Ports, 1 to 65535."),
  })
  .describe("Hosts that URLs and names in arguments may lead to.");

export const serverShape = z
  .strictObject({
    url: text
      .optional()
      .describe(
        "Address of a remote server: `https`, or `http` to this machine. In the machine file also `unix:/ABSOLUTE.sock#/PATH` and `pipe:///\\\\.\\pipe\\NAME#/PATH`.",
      ),
    allowSystemSocket: z
      .boolean()
      .optional()
      .describe(
        "`true`: the socket of a `unix:` address may belong to root or another user. Only in the machine file.",
      ),
    command: z
      .array(text)
      .optional()
      .describe("Program and arguments of a local server, as a list of words."),
    cwd: text
      .optional()
      .describe(
        "Folder in which the command starts, as an absolute path. `project` in the machine file: the project's folder.",
      ),
    isolation: isolation.optional(),
    env: z
      .record(text, text)
      .optional()
      .describe(
        "Environment variables for the command. `${NAME}` is taken from the environment, `$$` is a dollar sign.",
      ),
    headers: z
      .record(text, text)
      .optional()
      .describe(
        "HTTP headers for a remote server. `${NAME}` is taken from the environment.",
      ),
    token: z
      .union([z.literal(true), z.strictObject({ header: text })])
      .optional()
      .describe(
        "A token is stored for this server outside this file (`fenzi mcp token NAME`). `true` sends it as a bearer token, `{ header: X-Api-Key }` in that header.",
      ),
    enabled: z
      .boolean()
      .optional()
      .describe("`false` switches the server off."),
    tools: tools.optional(),
    limits: limits.optional(),
    paths: paths.optional(),
    hosts: hosts.optional(),
  })
  .describe(
    "One server. With neither `url` nor `command` the entry narrows the server of that name in an outer file.",
  );

const common = {
  version: z.literal(1).describe("The version of this format: 1."),
  mcp: z.record(text, serverShape).optional().describe("The servers, by name."),
  airGap: z
    .boolean()
    .optional()
    .describe("`true` gives agents only servers on this machine."),
  private: z
    .array(text)
    .optional()
    .describe(
      "Files that no call may name, as globs, beside those that are always private (`.env`, `.ssh`, keys, …).",
    ),
  secrets: z
    .strictObject({
      refuse: z
        .array(text)
        .optional()
        .describe("RE2 expressions: a call with a match is refused."),
      redact: z
        .array(text)
        .optional()
        .describe("RE2 expressions: a match is taken out of every result."),
    })
    .optional()
    .describe("Secrets beside the forms that are known in any case."),
};

/** A project's fenzi.yaml. */
export const projectFile = z
  .strictObject(common)
  .describe(
    "fenzi.yaml: the MCP servers of a project, for every coding agent.",
  );

const agentSettings = z
  .strictObject({
    config: z
      .record(text, z.unknown())
      .optional()
      .describe(
        "The agent's own settings, laid under what Fenzi writes. No servers, permissions, tool filters or trust.",
      ),
  })
  .describe("Settings of one agent.");

/** The machine's mcp.yaml: as a project's, and what only the machine may say. */
export const machineFile = z
  .strictObject({
    ...common,
    projectServers: z
      .boolean()
      .optional()
      .describe(
        "`false`: projects may narrow the machine's servers, but add none.",
      ),
    agents: z
      .strictObject({
        "claude-code": agentSettings.optional(),
        codex: agentSettings.optional(),
        opencode: agentSettings.optional(),
        grok: agentSettings.optional(),
      })
      .optional()
      .describe("Native settings for each agent."),
  })
  .describe(
    "mcp.yaml: the MCP servers of this machine, and limits for every project.",
  );

export type ServerEntry = z.infer<typeof serverShape>;
export type MachineFile = z.infer<typeof machineFile>;
