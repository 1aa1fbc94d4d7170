export type Message = Readonly<Record<string, unknown>>;

export function request(id: number | string, method: string, params: object = {}): Message {
  return { jsonrpc: "2.0", id, method, params };
}

export function notification(method: string, params: object = {}): Message {
  return { jsonrpc: "2.0", method, params };
}

export function call(id: number | string, tool: string, args: object = {}): Message {
  return request(id, "tools/call", { name: tool, arguments: args });
}

export function initialize(id: number | string = "init"): Message {
  return request(id, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "fault-client", version: "1" },
  });
}

export function textResult(id: number | string, text: string): Message {
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } };
}

export function hasId(message: Message, id: number | string): boolean {
  return message["id"] === id;
}
