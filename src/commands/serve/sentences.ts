export const serveSentences = {
  urlMissing: () =>
    `missing server; name it with --url, as in "mcp-meter serve --url https://example.com/mcp"`,
  serving: (shown: string) => `Serving ${shown} at the address above; Ctrl+C ends it`,
  noConversation: () => "No conversation was metered",
  commandOfServe: () =>
    `unexpected command after --; serve meters a URL, and a server on stdio needs no serve, as in "mcp-meter -- npx -y some-server"`,
} as const;
