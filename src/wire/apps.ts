import { memberAt } from "./json.ts";

// MCP Apps: a host shows pages of a server, and some tools are for these pages alone. No model reads either.

export const appsExtension = "io.modelcontextprotocol/ui";

export function isPage(uri: string | undefined): boolean {
  return uri?.startsWith("ui://") === true;
}

/** A tool without `visibility` is for the model and for pages. */
export function isForPages(tool: unknown): boolean {
  const visibility = memberAt(tool, "_meta", "ui", "visibility");
  return Array.isArray(visibility) && !visibility.includes("model");
}
