/** Undefined when `MAX_MCP_OUTPUT_TOKENS` is not a positive integer; clients start servers in their own environment. */
export function clientCutTokens(
  env: Readonly<{ [name: string]: string | undefined }>,
): number | undefined {
  const text = env["MAX_MCP_OUTPUT_TOKENS"]?.trim() ?? "";
  const tokens = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}
