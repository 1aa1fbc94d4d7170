export const serveSentences = {
  urlMissing: () =>
    `missing server; name it with --url, as in "mcp-meter serve --url https://example.com/mcp"`,
  serving: (shown: string) => `Serving ${shown} at the address above; stop with Ctrl-C`,
  noConversation: () => "No conversation was metered",
  commandOfServe: () =>
    `unexpected command after --; serve meters a URL; meter a server on stdio without it, as in "mcp-meter -- npx -y some-server"`,
} as const;
