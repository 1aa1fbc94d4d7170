/**
 * Members of `_meta` on which clients act: those of vendors of clients, of MCP itself and of its apps. The size of an
 * answer that a client keeps, a tool that it loads at once, or the page that it shows instead of an answer may stand there.
 */
const actedOn =
  /^(?:ui$|ui\/|(?:[\w-]+\.)*(?:anthropic|claude|openai|google|gemini|github|microsoft|vscode|cursor|mcp|modelcontextprotocol)(?:\.[\w-]+)*\/)/i;

/** True for a member of `_meta` that changes what a client does. */
export function isActedOn(member: string): boolean {
  return actedOn.test(member);
}
