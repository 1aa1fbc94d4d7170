type Message = { readonly id?: number; readonly method: string };

export function answeringServer(result: unknown, definition: object = {}) {
  const results: Readonly<Record<string, unknown>> = {
    "server/discover": {
      supportedVersions: ["2026-07-28"],
      serverInfo: { name: "s", version: "1" },
      capabilities: { tools: {} },
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "public",
    },
    initialize: {
      protocolVersion: "2025-06-18",
      serverInfo: { name: "s", version: "1" },
      capabilities: { tools: {} },
    },
    "tools/list": {
      tools: [{ name: "t", inputSchema: { type: "object" }, ...definition }],
      ttlMs: 60_000,
      cacheScope: "public",
      resultType: "complete",
    },
    "tools/call": result,
  };
  return {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    start: async () => undefined,
    close: async () => undefined,
    async send({ id, method }: Message) {
      if (id !== undefined) this.onmessage?.({ jsonrpc: "2.0", id, result: results[method] });
    },
  };
}
