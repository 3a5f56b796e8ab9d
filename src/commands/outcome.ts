// What a command leaves: its exit code. Printing is done through `src/views` before it returns.

/** 0 done or nothing to do; 1 problems, or a difference under `--check`; 2 usage; 3 could not finish. */
export type Exit = 0 | 1 | 2 | 3;

/** A mistake in the command line: exit 2, with the words shown after `error:`, and what would be right below. */
export class UsageError extends Error {
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.help = help;
  }
}
