/** The line of a JSON-RPC result; `rawId` is the text of the id as the request contains it. */
export function resultLine(rawId: string, result: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"result":${JSON.stringify(result)}`);
}

/** The line of a JSON-RPC error; `rawId` as for a result. */
export function errorLine(rawId: string, error: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"error":${JSON.stringify(error)}`);
}

export function notificationLine(method: string, params: unknown): Uint8Array {
  return encodeLine(`"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`);
}

function encodeLine(members: string): Uint8Array {
  return new TextEncoder().encode(`{"jsonrpc":"2.0",${members}}\n`);
}

/** Code of our JSON-RPC errors: outside the range -32768…-32000 that JSON-RPC and MCP reserve. */
const refusalCode = -31_900;

type RefusalData = {
  readonly source: "mcp-meter";
  readonly reason: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly spent: number;
  readonly tokens: number;
  readonly per: string;
};

export function refusedResult(text: string, isModern: boolean): unknown {
  const type = isModern ? { resultType: "complete" } : {};
  return { ...type, content: [{ type: "text", text }], isError: true };
}

export function refusedError(text: string, data: RefusalData): unknown {
  return { code: refusalCode, message: text, data };
}
