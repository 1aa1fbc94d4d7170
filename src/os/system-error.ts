/** The code of a system error such as `ENOENT`, or the message of any other. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
