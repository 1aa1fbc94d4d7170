import { findKnownProfile } from "#tokens/cost/clients/index.ts";

/** `qwen-cli-mcp-client`, its name for servers, and `qwen-code`, its name in logs, are one client. */
export function clientKey(name: string | null): string | null {
  if (name === null) return null;
  return findKnownProfile(name)?.names[0] ?? name.toLowerCase();
}
