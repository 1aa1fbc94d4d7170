type Call = readonly [tool: string, args: object];

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "printf", version: "1.0.0" },
  },
};

export function legacyLines(calls: readonly Call[]): string[] {
  const rest = calls.map(([name, args], at) => ({
    jsonrpc: "2.0",
    id: at + 2,
    method: "tools/call",
    params: { name, arguments: args, _meta: { progressToken: at + 2 } },
  }));
  const messages = [
    initialize,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    ...rest,
  ];
  return messages.map((message) => JSON.stringify(message));
}

export const legacyInput = (calls: readonly Call[]): string =>
  legacyLines(calls)
    .map((line) => `${line}\n`)
    .join("");
