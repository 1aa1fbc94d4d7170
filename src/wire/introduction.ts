import { nameCharactersMax } from "#limits.ts";
import { memberAt, textAt } from "./json.ts";

/** Name and version of a client or a server, as it introduced itself. */
export type Implementation = { readonly name: string; readonly version: string | undefined };

/** `legacy` began with `initialize`; `modern` is stateless, revision 2026-07-28 and later. */
export type Era = "legacy" | "modern";

const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";

const clientInfoKey = "io.modelcontextprotocol/clientInfo";

const serverInfoKey = "io.modelcontextprotocol/serverInfo";

/** What a request tells about its sender; a member is undefined where it tells nothing. */
export type ClientIntroduction = {
  readonly era: Era;
  readonly client: Implementation | undefined;
  readonly protocolVersion: string | undefined;
};

/** Reads who asks: from `initialize` in the legacy era, from `_meta` of any request in the modern one. */
export function introducedClient(method: string, params: unknown): ClientIntroduction | undefined {
  if (method === "initialize") {
    return {
      era: "legacy",
      client: implementation(memberAt(params, "clientInfo")),
      protocolVersion: bounded(textAt(params, "protocolVersion")),
    };
  }
  const protocolVersion = bounded(textAt(params, "_meta", protocolVersionKey));
  if (protocolVersion === undefined) return undefined;
  const client = implementation(memberAt(params, "_meta", clientInfoKey));
  return { era: "modern", client, protocolVersion };
}

/** What a result tells about the server. */
export type ServerIntroduction = {
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
};

/** Reads who answers: `serverInfo` and instructions of a handshake, `_meta` of any modern result. */
export function introducedServer(method: string, result: unknown): ServerIntroduction | undefined {
  const handshake = method === "initialize" || method === "server/discover";
  const rawServer = memberAt(result, "_meta", serverInfoKey) ?? memberAt(result, "serverInfo");
  if (!handshake && rawServer === undefined) return undefined;
  return {
    server: implementation(rawServer),
    protocolVersion: handshake ? bounded(textAt(result, "protocolVersion")) : undefined,
    instructions: handshake ? textAt(result, "instructions") : undefined,
  };
}

function implementation(value: unknown): Implementation | undefined {
  const name = bounded(textAt(value, "name"));
  if (name === undefined || name === "") return undefined;
  return { name, version: bounded(textAt(value, "version")) };
}

function bounded(text: string | undefined): string | undefined {
  return text?.slice(0, nameCharactersMax);
}
