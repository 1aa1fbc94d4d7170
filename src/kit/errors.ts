type MistakeLocation = { readonly file: string; readonly line: number };

export class UserError extends Error {
  readonly exitCode: number | undefined; // undefined: 125 in `run`, 2 in all other commands
  readonly sourceLocation: MistakeLocation | undefined;

  constructor(sentence: string, exitCode?: number, location?: MistakeLocation) {
    super(sentence);
    this.name = "UserError";
    this.exitCode = exitCode;
    this.sourceLocation = location;
  }
}

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  serverUnreachable: 3,
  runFailed: 125,
  notExecutable: 126,
  notFound: 127,
} as const;

/** For use instead of the error's message, which may quote traffic. */
export function nameError(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** Handles a user's mistake. Other errors are bugs, and are thrown again. */
export function recover<Result, Recovered>(
  act: () => Result,
  handle: (error: UserError) => Recovered,
): Result | Recovered {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return handle(error);
  }
}

export function attempt<Result>(act: () => Result): Result | undefined;
export function attempt<Result, Otherwise>(
  act: () => Result,
  otherwise: Otherwise,
): Result | Otherwise;
export function attempt<Result, Otherwise>(act: () => Result, otherwise?: Otherwise) {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

export function tryParseJson(text: string | undefined): unknown {
  return text === undefined ? undefined : attempt((): unknown => JSON.parse(text));
}

/** The JSON output of a failed command, as in failure.schema.json. */
export function makeFailure({ message }: UserError, exitCode: number) {
  return { schema_version: "1.0", failed: true, error: message, exit_code: exitCode } as const;
}
