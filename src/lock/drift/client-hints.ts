/** Members of `_meta` on which clients act: kept answer size, immediate loading, a page to show. */
const actedOn =
  /^(?:ui$|ui\/|(?:[\w-]+\.)*(?:anthropic|claude|openai|google|gemini|github|microsoft|vscode|cursor|mcp|modelcontextprotocol)(?:\.[\w-]+)*\/)/i;

export function isActedOn(member: string): boolean {
  return actedOn.test(member);
}
