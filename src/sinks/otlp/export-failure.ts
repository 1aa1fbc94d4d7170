/** A code of a system or of Bun, such as `ECONNREFUSED`. */
const codeForm = /^[A-Za-z][A-Za-z0-9_]{1,39}$/;

const refusals = new Set(["ECONNREFUSED", "ConnectionRefused", "FailedToOpenSocket"]);

/** The reason of a failed export in a few words: never the text of the error, which may have an address or an answer. */
export function exportFailure(error: unknown): string {
  if (!(error instanceof Error)) return "the export failed";
  if (error.message === "Request timed out") return noAnswer;
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "number") return `HTTP ${code}`;
  if (typeof code === "string" && refusals.has(code)) return "the connection was refused";
  if (typeof code === "string" && codeForm.test(code)) return code;
  return "the backend is not ready";
}

/** The reason when time is up. */
export const noAnswer = "no answer in time";
