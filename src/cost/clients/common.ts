import { isObject, type JsonObject, textAt } from "#wire/json.ts";
import { type Block, mediaIn } from "./block.ts";
import type { ClientProfile, ProtocolError, ShownText, AnswerFacts } from "./client-profile.ts";
import { plainDefinitions } from "./definition-rules.ts";

/**
 * The name that clients put before a tool's own. The user's name for the server never crosses the wire; this one has
 * as many tokens as most.
 */
export const serverName = "server";

/** The block unchanged. */
export const asItCame = ({ parts }: Block): ShownText => parts;

/** Nothing of the block. */
export const nothing = (): ShownText => [];

/** The text of an embedded resource, without its address. */
export const resourceText = ({ text }: Block): ShownText => [text];

/** The media of a block, without any text. */
export const mediaOnly = (block: Block): ShownText => mediaIn(block);

/** The texts of an answer, one below the other. */
export function joinedTexts({ blocks }: AnswerFacts, joint: string): ShownText {
  const texts = blocks.filter(({ kind }) => kind === "text");
  return texts.flatMap(({ parts }, at): ShownText => (at === 0 ? parts : [joint, ...parts]));
}

/** `MCP error -32602: message`, as the client libraries write it. */
export function libraryError({ code, message }: ProtocolError): string {
  return `MCP error ${code}: ${message}`;
}

/** A tool under another name. */
export function renamed(tool: JsonObject, rename: (name: string) => string): JsonObject {
  const name = textAt(tool, "name");
  return name === undefined ? tool : { ...tool, name: rename(name) };
}

/** A tool whose description has at most that many characters, with a mark where it was cut. */
export function withShortDescription(tool: JsonObject, max: number, mark: string): JsonObject {
  const description = textAt(tool, "description");
  if (description === undefined || description.length <= max) return tool;
  return { ...tool, description: description.slice(0, max) + mark };
}

/** A text of at most that many characters. */
export function cut(text: string, max: number, mark = ""): string {
  return text.length <= max ? text : text.slice(0, max) + mark;
}

const requiredMembers = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["name", "uri"],
  resource: ["resource"],
};

/** The error that client libraries make of an answer with blocks that they do not know. */
export function invalidBlocks(): string {
  const issues = Object.entries(requiredMembers).map(([kind, members]) => [
    {
      code: "invalid_value",
      values: [kind],
      path: ["type"],
      message: `Invalid input: expected "${kind}"`,
    },
    ...members.map((member) => ({
      expected: "string",
      code: "invalid_type",
      path: [member],
      message: "Invalid input: expected string, received undefined",
    })),
  ]);
  const union = {
    code: "invalid_union",
    errors: issues,
    path: ["content", 0],
    message: "Invalid input",
  };
  return JSON.stringify([union], null, 2);
}

/** The error that client libraries make of `structuredContent: null`. */
export function invalidStructured(): string {
  const issue = {
    expected: "record",
    code: "invalid_type",
    path: ["structuredContent"],
    message: "Invalid input: expected record, received null",
  };
  return JSON.stringify([issue], null, 2);
}

/** Rules of a client of which nothing is measured: `content` unchanged, without any text of its own. */
export const plainProfile: ClientProfile = {
  id: "content-first",
  names: [],
  measured: null,
  order: "content-first",
  besideStructured: [],
  header: "",
  joint: null,
  empty: () => "",
  blocks: {
    text: asItCame,
    image: asItCame,
    "unreadable-image": asItCame,
    audio: asItCame,
    link: asItCame,
    "resource-text": asItCame,
    "resource-image": asItCame,
    "resource-blob": asItCame,
    unknown: asItCame,
  },
  invalid: null,
  showsUserOnly: true,
  toolError: null,
  protocolError: ({ parts }) => parts.map((part) => [part]),
  limit: null,
  resourcesAsJson: false,
  isScripted: () => false,
  definitions: plainDefinitions,
};

/** A schema with one more property. */
export function withProperty(tool: JsonObject, name: string, schema: JsonObject): JsonObject {
  const before = tool["inputSchema"];
  const { properties, ...rest } = isObject(before) ? before : {};
  const inputSchema = {
    ...rest,
    properties: { ...(isObject(properties) ? properties : {}), [name]: schema },
  };
  return { ...tool, inputSchema };
}

/** A tool on one line, for a list of tools that are not loaded. */
export function nameLine(tool: JsonObject, rename: (name: string) => string): string {
  return `${rename(textAt(tool, "name") ?? "")}\n`;
}
