import { nameCharactersMax } from "#kit/limits.ts";
import { isObject, readMember, readString } from "./json.ts";

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
export function readClientIntroduction(
  method: string,
  params: unknown,
): ClientIntroduction | undefined {
  if (method === "initialize") {
    return {
      era: "legacy",
      client: readImplementation(readMember(params, "clientInfo")),
      protocolVersion: limitLength(readString(params, "protocolVersion")),
      showsPages: showsPages(readMember(params, "capabilities")),
    };
  }
  const protocolVersion = limitLength(readString(params, "_meta", protocolVersionKey));
  if (protocolVersion === undefined) return undefined;
  const client = readImplementation(readMember(params, "_meta", clientInfoKey));
  const capabilities = readMember(params, "_meta", capabilitiesKey);
  return { era: "modern", client, protocolVersion, showsPages: showsPages(capabilities) };
}

function showsPages(capabilities: unknown): boolean {
  return isObject(readMember(capabilities, "extensions", appsExtension));
}

export type ServerIntroduction = {
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
};

// From a handshake's `serverInfo`, or `_meta` of any modern result.
export function readServerIntroduction(
  method: string,
  result: unknown,
): ServerIntroduction | undefined {
  const isHandshake = method === "initialize" || method === "server/discover";
  const rawServer = readMember(result, "_meta", serverInfoKey) ?? readMember(result, "serverInfo");
  if (!isHandshake && rawServer === undefined) return undefined;
  return {
    server: readImplementation(rawServer),
    protocolVersion: isHandshake ? limitLength(readString(result, "protocolVersion")) : undefined,
    instructions: isHandshake ? readString(result, "instructions") : undefined,
  };
}

function readImplementation(value: unknown): Implementation | undefined {
  const name = limitLength(readString(value, "name"));
  if (name === undefined || name === "") return undefined;
  return { name, version: limitLength(readString(value, "version")) };
}

function limitLength(text: string | undefined): string | undefined {
  return text?.slice(0, nameCharactersMax);
}

// MCP Apps: hosts show a server's pages, and some tools are only for these pages. No model reads either.

const appsExtension = "io.modelcontextprotocol/ui";

export function isAppPage(uri: string | undefined): boolean {
  return uri?.startsWith("ui://") === true;
}

// Same rule as the hosts' library: exactly `["app"]`. Any other value may include the model.
export function isAppOnlyTool(tool: unknown): boolean {
  const visibility = readMember(tool, "_meta", "ui", "visibility");
  return Array.isArray(visibility) && visibility.length === 1 && visibility[0] === "app";
}
