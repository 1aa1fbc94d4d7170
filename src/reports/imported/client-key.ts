import { findKnownProfile } from "#cost/clients/index.ts";

/**
 * One name for a client, whether it is the name that it gives to servers, as `qwen-cli-mcp-client`, or that of its logs, as
 * `qwen-code`; null for none.
 */
export function clientKey(name: string | null): string | null {
  if (name === null) return null;
  return findKnownProfile(name)?.names[0] ?? name.toLowerCase();
}
