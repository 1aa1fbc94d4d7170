import { arrayAt, isObject, textAt, type JsonObject } from "#wire/json.ts";
import type { Client } from "./sdk.ts";

export type ServerIdentity = {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocolVersion: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly instructions: string | undefined;
  readonly introduction: {
    readonly title?: string;
    readonly description?: string;
    readonly websiteUrl?: string;
    readonly icons?: readonly JsonObject[];
  };
};

type GreetedServer = Pick<
  Client,
  "getServerVersion" | "getNegotiatedProtocolVersion" | "getProtocolEra" | "getInstructions"
>;

export function identityOf(client: GreetedServer): ServerIdentity {
  const server = client.getServerVersion();
  return {
    name: server?.name ?? null,
    version: server?.version ?? null,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
    era: client.getProtocolEra() ?? null,
    instructions: client.getInstructions(),
    introduction: introductionIn(server),
  };
}

function introductionIn(server: unknown): ServerIdentity["introduction"] {
  const [title, description] = [textAt(server, "title"), textAt(server, "description")];
  const websiteUrl = textAt(server, "websiteUrl");
  const icons = arrayAt(server, "icons").filter(isObject);
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons.length === 0 ? {} : { icons }),
  };
}
