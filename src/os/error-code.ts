/** The code of a system error such as `ENOENT`, the message of any other error, or the thrown value as text. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
