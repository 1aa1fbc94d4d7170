export type CheckFailure = {
  readonly schema_version: "1.0";
  readonly failed: true;
  readonly error: string;
  readonly exit_code: number;
  readonly lock_file: string;
  readonly calls_file: string | null;
  readonly place?: { readonly file: string; readonly line: number };
};
