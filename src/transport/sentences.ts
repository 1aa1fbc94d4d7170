export const transportSentences = {
  internalFailure: (what: string) =>
    `Failed because of a bug in mcp-meter (${what}); report it with the output of "mcp-meter --version"`,
} as const;
