import { nameCharactersMax } from "#kit/limits.ts";
import { isObject, memberAt, textAt } from "./json.ts";

export type Implementation = { readonly name: string; readonly version: string | undefined };

// `legacy` begins with `initialize`; `modern` is stateless, revision 2026-07-28 and later.
export type Era = "legacy" | "modern";

const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";
const clientInfoKey = "io.modelcontextprotocol/clientInfo";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const serverInfoKey = "io.modelcontextprotocol/serverInfo";

export type ClientIntroduction = {
  readonly era: Era;
  readonly client: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  // It shows MCP Apps and hides their tools from the model.
  readonly showsPages: boolean;
};

// From `initialize` in the legacy era, from `_meta` of any modern request.
export function introducedClient(method: string, params: unknown): ClientIntroduction | undefined {
  if (method === "initialize") {
    return {
      era: "legacy",
      client: readImplementation(memberAt(params, "clientInfo")),
      protocolVersion: limitLength(textAt(params, "protocolVersion")),
      showsPages: showsPages(memberAt(params, "capabilities")),
    };
  }
  const protocolVersion = limitLength(textAt(params, "_meta", protocolVersionKey));
  if (protocolVersion === undefined) return undefined;
  const client = readImplementation(memberAt(params, "_meta", clientInfoKey));
  const capabilities = memberAt(params, "_meta", capabilitiesKey);
  return { era: "modern", client, protocolVersion, showsPages: showsPages(capabilities) };
}

function showsPages(capabilities: unknown): boolean {
  return isObject(memberAt(capabilities, "extensions", appsExtension));
}

export type ServerIntroduction = {
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
};

// From a handshake's `serverInfo`, or `_meta` of any modern result.
export function introducedServer(method: string, result: unknown): ServerIntroduction | undefined {
  const isHandshake = method === "initialize" || method === "server/discover";
  const rawServer = memberAt(result, "_meta", serverInfoKey) ?? memberAt(result, "serverInfo");
  if (!isHandshake && rawServer === undefined) return undefined;
  return {
    server: readImplementation(rawServer),
    protocolVersion: isHandshake ? limitLength(textAt(result, "protocolVersion")) : undefined,
    instructions: isHandshake ? textAt(result, "instructions") : undefined,
  };
}

function readImplementation(value: unknown): Implementation | undefined {
  const name = limitLength(textAt(value, "name"));
  if (name === undefined || name === "") return undefined;
  return { name, version: limitLength(textAt(value, "version")) };
}

function limitLength(text: string | undefined): string | undefined {
  return text?.slice(0, nameCharactersMax);
}

// MCP Apps: hosts show a server's pages, and some tools are only for these pages. No model reads either.

const appsExtension = "io.modelcontextprotocol/ui";

export function isPage(uri: string | undefined): boolean {
  return uri?.startsWith("ui://") === true;
}

// Same rule as the hosts' library: exactly `["app"]`. Any other value may include the model.
export function isForPages(tool: unknown): boolean {
  const visibility = memberAt(tool, "_meta", "ui", "visibility");
  return Array.isArray(visibility) && visibility.length === 1 && visibility[0] === "app";
}
