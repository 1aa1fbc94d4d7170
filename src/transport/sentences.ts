export const transportSentences = {
  internalFailure: (what: string) =>
    `Failed by a fault of mcp-meter itself (${what}); report it with the output of "mcp-meter --version"`,
} as const;
