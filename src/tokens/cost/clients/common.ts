import { schemaLevelsMax } from "#kit/limits.ts";
import { isObject, type JsonObject, textAt } from "#wire/json.ts";
import type { Part } from "../part.ts";
import type { Block } from "./block.ts";
import type {
  AnswerFacts,
  ClientProfile,
  Echo,
  ProtocolError,
  ShownText,
} from "./client-profile.ts";
import { plainDefinitions } from "./definition-rules.ts";

/** Stands for the user's name of the server, which never crosses the wire; has as many tokens as most. */
export const serverName = "server";

/** As many tokens as most random ids: 23 of 18 to 28. */
export const usualId = "8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a";

/** 18 tokens; hashes have 14 to 24. */
export const usualHash = "a2cfbf1c24a8a842376d26716960adc3";

export const asItCame = ({ parts }: Block): ShownText => parts;

export const nothing = (): ShownText => [];

// Without its address.
export const resourceText = ({ text }: Block): ShownText => [text];

/** Scaled down to sides of `sideMax` pixels. */
export function fittedImages(parts: readonly Part[], sideMax: number): readonly Part[] {
  return parts.map((part) => {
    if (part.kind !== "image" || !part.size) return part;
    const { width, height } = part.size;
    const factor = sideMax / Math.max(width, height);
    if (factor >= 1) return part;
    const scaled = (side: number) => Math.max(1, Math.round(side * factor));
    return { ...part, size: { width: scaled(width), height: scaled(height) } };
  });
}

// Shared by Gemini CLI and its descendants.
export function mediaLabel(
  what: "image" | "audio" | "embedded resource",
  mimeType: string,
  { tool }: Echo,
): string {
  const data = what === "embedded resource" ? what : `${what} data`;
  return `[Tool '${tool}' provided the following ${data} with mime-type: ${mimeType}]`;
}

export function joinedTexts({ blocks }: AnswerFacts, joint: string): ShownText {
  const texts = blocks.filter(({ kind }) => kind === "text");
  return texts.flatMap(({ parts }, at): ShownText => (at === 0 ? parts : [joint, ...parts]));
}

/** `MCP error -32602: message`, as the client libraries write it. */
export function libraryError({ code, message }: ProtocolError): string {
  return `MCP error ${code}: ${message}`;
}

export function renamed(tool: JsonObject, rename: (name: string) => string): JsonObject {
  const name = textAt(tool, "name");
  return name === undefined ? tool : { ...tool, name: rename(name) };
}

export function withShortDescription(tool: JsonObject, max: number, mark: string): JsonObject {
  const description = textAt(tool, "description");
  if (description === undefined || description.length <= max) return tool;
  return { ...tool, description: description.slice(0, max) + mark };
}

export function cut(text: string, max: number, mark = ""): string {
  return text.length <= max ? text : text.slice(0, max) + mark;
}

/** Rules of a client that was never measured. */
export const plainProfile: ClientProfile = {
  id: "content-first",
  names: [],
  measured: null,
  order: "content-first",
  isUnknown: false,
  besideStructured: [],
  header: "",
  joint: null,
  empty: () => "",
  isBlank: (text) => text === "",
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
  rejection: null,
  showsUserOnly: true,
  toolError: null,
  errorLimit: null,
  protocolError: ({ parts }) => parts.map((part) => [part]),
  channel: null,
  limit: null,
  resourcesAsJson: false,
  isScripted: () => false,
  sessionId: undefined,
  ownArguments: [],
  trialNames: [],
  spillPlace: "state",
  definitions: plainDefinitions,
};

/** Budgets count everything that an unknown client may show. */
export const unknownProfile: ClientProfile = {
  ...plainProfile,
  isUnknown: true,
  channel: (params) => textAt(params, "content") ?? "",
};

export function withProperty(tool: JsonObject, name: string, schema: JsonObject): JsonObject {
  const before = tool["inputSchema"];
  const { properties, ...rest } = isObject(before) ? before : {};
  const inputSchema = {
    ...rest,
    properties: { ...(isObject(properties) ? properties : {}), [name]: schema },
  };
  return { ...tool, inputSchema };
}

export function nameLine(tool: JsonObject, rename: (name: string) => string): string {
  return `${rename(textAt(tool, "name") ?? "")}\n`;
}

/** Their members are names that the server chose. */
const namedSchemas = new Set(["properties", "$defs", "definitions"]);
const dataKeywords = new Set(["enum", "required", "const", "default", "examples"]);

/** A schema with `edit` applied to each schema in it, the outer one first. */
export function mapSchemas(
  schema: unknown,
  edit: (schema: JsonObject) => JsonObject,
  level = 0,
): unknown {
  if (level > schemaLevelsMax) return schema;
  if (Array.isArray(schema)) return schema.map((item) => mapSchemas(item, edit, level + 1));
  if (!isObject(schema)) return schema;
  const members = Object.entries(edit(schema)).map(([key, value]): [string, unknown] => {
    if (dataKeywords.has(key)) return [key, value];
    if (!namedSchemas.has(key) || !isObject(value)) {
      return [key, mapSchemas(value, edit, level + 1)];
    }
    const named = Object.entries(value).map(([name, inner]): [string, unknown] => [
      name,
      mapSchemas(inner, edit, level + 2),
    ]);
    return [key, Object.fromEntries(named)];
  });
  return Object.fromEntries(members);
}
