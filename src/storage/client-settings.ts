type Env = Readonly<{ [name: string]: string | undefined }>;

/**
 * Claude Code's setting of the most tokens of an answer; a server, and so mcp-meter, is started with the
 * client's environment. Undefined when it is not set or no number.
 */
export function clientCutTokens(env: Env): number | undefined {
  const text = env["MAX_MCP_OUTPUT_TOKENS"]?.trim() ?? "";
  const tokens = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}
