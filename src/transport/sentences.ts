export const transportSentences = {
  internalFailure: (what: string) =>
    `Failed because of a bug in mcp-meter (${what}); report it with the output of "mcp-meter --version"`,
  meteringFailed: (where: string, what: string) =>
    `Metering failed (${what}: ${where}); traffic continues`,
} as const;

/** The message of an error may quote the traffic; its name cannot. */
export function nameError(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}
