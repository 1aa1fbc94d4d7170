/** A check that could not be made; renderers print it as it is. */
export type CheckFailure = {
  readonly schema_version: "1.0";
  readonly failed: true;
  /** The sentence on stderr. */
  readonly error: string;
  readonly exit_code: number;
  readonly lock_file: string;
  readonly calls_file: string | null;
  /** The file with the mistake and its line, from 1; absent when the reason is not in a line of a file. */
  readonly place?: { readonly file: string; readonly line: number };
};
