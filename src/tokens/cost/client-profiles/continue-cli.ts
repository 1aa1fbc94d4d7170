import { readArray, stringifyCompact, isObject, type JsonObject, readMember } from "#wire/json.ts";
import { type Block, blockKinds } from "./block.ts";
import type { ClientProfile, Echo } from "./client-profile.ts";
import { formatLibraryError, plainProfile } from "./common.ts";
import { rejectResult } from "./rejections.ts";

export const continueCli: ClientProfile = {
  ...plainProfile,
  client: "continue-cli",
  names: ["continue-cli-client", "continue cli"],
  measured: { version: "1.5.47", on: "2026-11-26", kinds: blockKinds },
  order: "content-only",
  renderWhole: ({ blocks }) => [[`[${blocks.map(formatBlock).join(",")}]`]],
  renderRejection: (result, { echo }) =>
    rejectResult(result, formatErrorPrefix(echo), { listsAllForms: true }),
  renderProtocolError: (error) => [[formatErrorPrefix(error.echo) + formatLibraryError(error)]],
  definitions: {
    ...plainProfile.definitions,
    formatTool: shortenTool,
    formatInstructions: () => "",
  },
};

// The client's library drops these members of a block.
const droppedMembers = new Set(["annotations", "size"]);

function formatBlock({ raw }: Block): string {
  const members = Object.entries(isObject(raw) ? raw : {}).filter(
    ([name]) => !droppedMembers.has(name),
  );
  return stringifyCompact(Object.fromEntries(members));
}

function formatErrorPrefix({ tool }: Echo): string {
  return `Error executing tool ${tool}: `;
}

function shortenTool({ name, description, inputSchema }: JsonObject): JsonObject {
  const properties = readMember(inputSchema, "properties") ?? {};
  const required = readArray(inputSchema, "required");
  const schema = { type: "object", ...(required.length > 0 && { required }), properties };
  return { name, description, inputSchema: schema };
}
