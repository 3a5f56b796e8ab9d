export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}
export interface Answer {
  readonly id: string | number | null;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly result?: any;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: unknown;
  };
  readonly line: string;
}
export interface StdioClient {
  readonly pid: number;
  readonly lines: readonly string[];
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  errors(): string;
  write(bytes: string | Uint8Array): void;
  send(message: unknown): void;
  ask(method: string, params?: object, id?: string | number): Promise<Answer>;
  call(name: string, args?: object): Promise<Answer>;
  initialize(capabilities?: object): Promise<Answer>;
  until(wanted: (line: string) => boolean): Promise<void>;
  kill(signal: NodeJS.Signals): boolean;
  close(): Promise<{ code: number | null; signal: string | null }>;
}
export function openStdio(command: Command): StdioClient;
export function textOf(
  line: string,
  path: readonly (string | number)[],
): string | undefined;
