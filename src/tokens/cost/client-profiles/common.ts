import { isObject, type JsonObject, readString } from "#wire/json.ts";
import { isContinuation } from "../../tokenizer/feed.ts";
import { shrink } from "../media/image.ts";
import type { Block, MediaPart, Part, TextPart } from "./block.ts";
import {
  type AnswerFacts,
  type ClientProfile,
  type Echo,
  type ProtocolError,
  type ShownItem,
  plainDefinitions,
} from "./client-profile.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { schemaLevelsMax } from "#wire/schema-walk.ts";

// Stands for the server's name in the client's settings, because clients do not send that name to servers. Most such
// names have as many tokens as this one.
export const serverName = "server";

export function qualifyName(tool: string): string {
  return `mcp__${serverName}__${tool}`;
}

// 23 tokens: most random ids have 18 to 28.
export const typicalId = "8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a";

// 18 tokens: most hashes have 14 to 24.
export const typicalHash = "a2cfbf1c24a8a842376d26716960adc3";

const renderUnchanged = ({ parts }: Block): ShownItem => parts;

export const renderNothing = (): ShownItem => [];

export const renderResourceText = ({ text }: Block): ShownItem => [text];

export function fitImages(parts: readonly Part[], sideMax: number): readonly Part[] {
  return parts.map((part) => {
    if (part.kind !== "image" || !part.size) return part;
    const size = shrink(part.size, sideMax / Math.max(part.size.width, part.size.height));
    return size === part.size ? part : { ...part, size };
  });
}

export function formatMediaLabel(
  kind: "image" | "audio" | "embedded resource",
  mimeType: string,
  { tool }: Echo,
): string {
  const data = kind === "embedded resource" ? kind : `${kind} data`;
  return `[Tool '${tool}' provided the following ${data} with mime-type: ${mimeType}]`;
}

export function joinTexts({ blocks }: AnswerFacts, separator: string): ShownItem {
  const texts = blocks.filter(({ kind }) => kind === "text");
  return texts.flatMap(({ parts }, at): ShownItem => (at === 0 ? parts : [separator, ...parts]));
}

// The TypeScript SDK writes the messages of its errors in this form.
export function formatLibraryError({ code, message }: ProtocolError): string {
  return `MCP error ${code}: ${message}`;
}

export function renameTool(tool: JsonObject, rename: (name: string) => string): JsonObject {
  const name = readString(tool, "name");
  return name === undefined ? tool : { ...tool, name: rename(name) };
}

export function shortenDescription(
  tool: JsonObject,
  charactersMax: number,
  mark: string,
): JsonObject {
  const description = readString(tool, "description");
  if (description === undefined || description.length <= charactersMax) return tool;
  return { ...tool, description: description.slice(0, charactersMax) + mark };
}

export function cutText(text: string, charactersMax: number, mark = ""): string {
  return text.length <= charactersMax ? text : text.slice(0, charactersMax) + mark;
}

export const plainProfile: ClientProfile = {
  recordedAs: "content-first",
  names: [],
  measured: null,
  order: "prefer-content",
  isUnknown: false,
  besideStructured: [],
  header: "",
  separator: null,
  formatEmpty: () => "",
  isBlank: (text) => text === "",
  blocks: {
    text: renderUnchanged,
    image: renderUnchanged,
    "unreadable-image": renderUnchanged,
    audio: renderUnchanged,
    link: renderUnchanged,
    "resource-text": renderUnchanged,
    "resource-image": renderUnchanged,
    "resource-blob": renderUnchanged,
    unknown: renderUnchanged,
  },
  renderRejection: null,
  showsUserBlocks: true,
  renderToolError: null,
  limitError: null,
  renderProtocolError: ({ parts }) => parts.map((part) => [part]),
  formatChannel: null,
  limitAnswer: null,
  resourcesAsJson: false,
  isScripted: () => false,
  clientSessionId: undefined,
  addedArguments: [],
  trialNames: [],
  spillFolder: "state",
  definitions: plainDefinitions,
};

export const unknownProfile: ClientProfile = {
  ...plainProfile,
  isUnknown: true,
  formatChannel: (params) => readString(params, "content") ?? "",
};

export function addProperty(tool: JsonObject, name: string, schema: JsonObject): JsonObject {
  const before = tool["inputSchema"];
  const { properties, ...rest } = isObject(before) ? before : {};
  const inputSchema = {
    ...rest,
    properties: { ...(isObject(properties) ? properties : {}), [name]: schema },
  };
  return { ...tool, inputSchema };
}

export function formatNameLine(tool: JsonObject, rename: (name: string) => string): string {
  return `${rename(readString(tool, "name") ?? "")}\n`;
}

// Under these keywords, keys are names that the server chose, and values are schemas.
const namedSchemas = new Set(["properties", "$defs", "definitions"]);
const dataKeywords = new Set(["enum", "required", "const", "default", "examples"]);

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

export function makeTextPart(text: string): TextPart {
  return { kind: "text", text };
}

export function joinText(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

export function countCharacters(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === "text" ? part.text.length : 0), 0);
}

export function countBytes(parts: readonly Part[]): number {
  let bytes = 0;
  for (const part of parts) if (part.kind === "text") bytes += Buffer.byteLength(part.text);
  return bytes;
}

export function pickMedia(parts: readonly Part[]): readonly MediaPart[] {
  return parts.filter((part) => part.kind !== "text");
}

export function replaceTexts(parts: readonly Part[], text: string): readonly Part[] {
  return [makeTextPart(text), ...pickMedia(parts)];
}

export function formatKilobytes(bytes: number, separator = ""): string {
  return `${(bytes / 1024).toFixed(1)}${separator}KB`;
}

export function formatFileSize(bytes: number): string {
  return bytes < 1024 ? pluralize(bytes, "byte") : formatKilobytes(bytes);
}

/** Never splits a UTF-8 character. */
export function splitEnds(
  text: string,
  headBytes: number,
  tailBytes: number,
): { readonly head: string; readonly tail: string } {
  const utf8 = Buffer.from(text);
  let end = Math.min(headBytes, utf8.length);
  while (end > 0 && isContinuation(utf8[end] ?? 0)) end -= 1;
  let start = Math.max(end, utf8.length - tailBytes);
  while (start < utf8.length && isContinuation(utf8[start] ?? 0)) start += 1;
  return { head: utf8.toString("utf8", 0, end), tail: utf8.toString("utf8", start) };
}

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

export function cutLines(text: string, bytesMax: number, linesMax: number): string {
  let [end, start, bytes] = [0, 0, 0];
  for (let lines = 0; lines < linesMax && start <= text.length; lines += 1) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline;
    bytes += Buffer.byteLength(text.slice(end, next));
    if (bytes > bytesMax) break;
    end = next;
    start = next + 1;
  }
  return text.slice(0, end);
}
