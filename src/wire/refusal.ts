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

/** A refusal as a tool's own error, which clients show to the model. `rawId` is the id's own text. */
export function toolRefusal(rawId: string, text: string, isModern: boolean): Uint8Array {
  return resultLine(rawId, refusedResult(text, isModern));
}

/** The result that says a tool failed with that text. */
export function refusedResult(text: string, isModern: boolean): unknown {
  const type = isModern ? { resultType: "complete" } : {};
  return { ...type, content: [{ type: "text", text }], isError: true };
}

/** A refusal as a JSON-RPC error. */
export function rpcRefusal(rawId: string, text: string, data: RefusalData): Uint8Array {
  return line(rawId, `"error":${JSON.stringify({ code: refusalCode, message: text, data })}`);
}

/** An answer with a result of ours; the id is written as the request wrote it. */
export function resultLine(rawId: string, result: unknown): Uint8Array {
  return line(rawId, `"result":${JSON.stringify(result)}`);
}

function line(rawId: string, member: string): Uint8Array {
  return new TextEncoder().encode(`{"jsonrpc":"2.0","id":${rawId},${member}}\n`);
}
