/**
 * The tokens at which Claude Code cuts an answer, by its setting `MAX_MCP_OUTPUT_TOKENS`: clients start servers,
 * and so mcp-meter, in their own environment. Undefined when it is not set or not a positive integer.
 */
export function clientCutTokens(
  env: Readonly<{ [name: string]: string | undefined }>,
): number | undefined {
  const text = env["MAX_MCP_OUTPUT_TOKENS"]?.trim() ?? "";
  const tokens = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}
