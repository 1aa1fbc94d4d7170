/** Code of our JSON-RPC errors: outside the range -32768…-32000 that JSON-RPC and MCP reserve. */
const refusalCode = -31_900;

export type RefusalData = {
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
