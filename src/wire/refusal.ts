/** Code of our JSON-RPC errors: outside the range -32768…-32000 that JSON-RPC and MCP reserve. */
export const refusalCode = -31_900;

/** Why a call was refused, for programs. */
export type RefusalData = {
  readonly source: "mcp-meter";
  readonly reason: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly spent: number;
  readonly tokens: number;
  readonly per: string;
};

/** A refusal as a tool's own failure, which clients show to the model. */
export function refusedResult(text: string, isModern: boolean): unknown {
  const type = isModern ? { resultType: "complete" } : {};
  return { ...type, content: [{ type: "text", text }], isError: true };
}

/** A refusal as a JSON-RPC error. */
export function refusedError(text: string, data: RefusalData): unknown {
  return { code: refusalCode, message: text, data };
}

/** An answer of ours; `rawId` is the id's own text, as the request wrote it. */
export function resultLine(rawId: string, result: unknown): Uint8Array {
  return line(`"id":${rawId},"result":${JSON.stringify(result)}`);
}

/** The same for an error. */
export function errorLine(rawId: string, error: unknown): Uint8Array {
  return line(`"id":${rawId},"error":${JSON.stringify(error)}`);
}

export function notificationLine(method: string, params: unknown): Uint8Array {
  return line(`"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`);
}

function line(members: string): Uint8Array {
  return new TextEncoder().encode(`{"jsonrpc":"2.0",${members}}\n`);
}
