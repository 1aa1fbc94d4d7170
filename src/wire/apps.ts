import { memberAt } from "./json.ts";

// MCP Apps: a host shows pages of a server, and some tools are for these pages alone. No model reads either.

export const appsExtension = "io.modelcontextprotocol/ui";

export function isPage(uri: string | undefined): boolean {
  return uri?.startsWith("ui://") === true;
}

/** As the hosts' library decides it: `["app"]` alone. Any other value may be for the model too. */
export function isForPages(tool: unknown): boolean {
  const visibility = memberAt(tool, "_meta", "ui", "visibility");
  return Array.isArray(visibility) && visibility.length === 1 && visibility[0] === "app";
}
