import { arrayAt, compactJson, isObject, type JsonObject, memberAt } from "#wire/json.ts";
import { type Block, blockKinds } from "./block.ts";
import type { ClientProfile, Echo } from "./client-profile.ts";
import { libraryError, plainProfile } from "./common.ts";
import { sdkRejection } from "./rejections.ts";

// The model reads `content` as compact JSON, base64 and errors included.
export const continueCli: ClientProfile = {
  ...plainProfile,
  names: ["continue-cli-client", "continue cli"],
  measured: { version: "1.5.47", on: "2026-11-26", kinds: blockKinds },
  order: "content-only",
  whole: ({ blocks }) => [[`[${blocks.map(shownJson).join(",")}]`]],
  rejection: (result, { asked }) => {
    const issues = sdkRejection(result, { isEachFormNamed: true });
    return issues === undefined ? undefined : [[opening(asked) + issues]];
  },
  protocolError: (error) => [[opening(error.asked) + libraryError(error)]],
  definitions: { ...plainProfile.definitions, form: shortened, instructions: () => "" },
};

// Its library does not know them.
const unread = new Set(["annotations", "size"]);

function shownJson({ raw }: Block): string {
  const members = Object.entries(isObject(raw) ? raw : {}).filter(([name]) => !unread.has(name));
  return compactJson(Object.fromEntries(members));
}

function opening({ tool }: Echo): string {
  return `Error executing tool ${tool}: `;
}

function shortened({ name, description, inputSchema }: JsonObject): JsonObject {
  const properties = memberAt(inputSchema, "properties") ?? {};
  const required = arrayAt(inputSchema, "required");
  const schema = { type: "object", ...(required.length > 0 && { required }), properties };
  return { name, description, inputSchema: schema };
}
