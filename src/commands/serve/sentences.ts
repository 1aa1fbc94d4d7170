export const serveSentences = {
  urlMissing: () =>
    `missing server; name it with --url, as in "mcp-meter serve --url https://example.com/mcp"`,
  serving: (shown: string) => `Serving ${shown} at the address above; stop with Ctrl-C`,
  noConversation: () => "No conversation was metered",
  commandUnexpected: () =>
    `unexpected command after --; serve meters a URL; to meter a server on stdio, leave out serve, as in "mcp-meter -- npx -y some-server"`,
} as const;
