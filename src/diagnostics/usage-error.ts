// What `main.ts` answers with exit 2: the command line or the environment is wrong, before any file was looked at.

/** `message` is shown after `error:`, and what would be right below. */
export class UsageError extends Error {
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.help = help;
  }
}
