import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { type Part, unmeasuredMedia } from "../part.ts";
import { type Block, blockKinds, mediaIn } from "./block.ts";
import type {
  AnswerFacts,
  ClientFacts,
  ClientProfile,
  Limited,
  ShownText,
} from "./client-profile.ts";
import {
  libraryError,
  mapSchemas,
  nameLine,
  nothing,
  plainProfile,
  renamed,
  resourceText,
  serverName,
  usualHash,
  bytesIn,
  frame,
  kilobytes,
  mediaOf,
  textOf,
} from "./common.ts";
import { isOtherResult } from "./rejections.ts";

const omitted = "[MCP image omitted because its data was invalid or its MIME type unsupported]";

const answerBytes = 20_480;
const previewCharacters = 500;

const file = `/tmp/1763769600000-copilot-tool-output-${usualHash}.txt`;

// Its images cost less than by the rule of the model.
const measuredKinds = blockKinds.filter((kind) => kind !== "image" && kind !== "resource-image");

export function copilotCli({ model = "" }: ClientFacts): ClientProfile {
  const isClaude = /claude|opus|sonnet|haiku/i.test(model);
  return {
    ...plainProfile,
    id: "both",
    names: ["copilot-cli", "copilot cli"],
    measured: { version: "1.0.102", on: "2026-11-26", kinds: measuredKinds },
    order: "content-then-structured",
    joint: "",
    blocks,
    rejection: (result) => (isRejected(result) ? [[unexpected(result)]] : undefined),
    toolError: (answer) => [reported(answer)],
    protocolError: (error) => [[`MCP server '${serverName}': McpError: ${libraryError(error)}`]],
    errorLimit: limited,
    limit: limited,
    definitions: {
      deferral: isClaude ? "always" : "never",
      form: (tool) => described(renamed(tool, qualified)),
      listing: (tool) => nameLine(tool, qualified),
      instructions: (text) => (isClaude ? text : ""),
      loadedInstructions: () => "",
      repeatsInstructions: false,
    },
  };
}

const blocks: ClientProfile["blocks"] = {
  ...plainProfile.blocks,
  text: ({ parts, text }, { structured }) => {
    const json = !structured && isJsonLike(text) ? compacted(text) : undefined;
    return json === undefined ? parts : [json];
  },
  image: picture,
  "unreadable-image": picture,
  audio: nothing,
  link: nothing,
  "resource-text": resourceText,
  "resource-image": picture,
  "resource-blob": ({ mimeType, bytes }) => {
    if (mimeType.startsWith("image/")) return [omitted];
    return mimeType === "application/pdf" ? [unmeasuredMedia(bytes)] : [];
  },
};

/** The first characters of data in base64, by the type that the block must name. */
const beginnings = new Map([
  ["image/png", "iVBORw0KGgo"],
  ["image/jpeg", "/9j/"],
  ["image/gif", "R0lGOD"],
]);

function picture(block: Block): ShownText {
  const beginning = beginnings.get(block.mimeType.toLowerCase());
  const isShown = beginning !== undefined && block.data.startsWith(beginning);
  return isShown ? mediaIn(block) : [omitted];
}

/** Longer texts are saved to a file. */
const jsonCharactersMax = 256 * 1024;

function isJsonLike(text: string): boolean {
  return /^\s*[[{]/.test(text) && text.length <= jsonCharactersMax;
}

/** Undefined for a text that is not JSON. */
function compacted(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const constraints =
  "minLength maxLength pattern format minimum maximum multipleOf exclusiveMinimum exclusiveMaximum minItems maxItems uniqueItems propertyNames minProperties maxProperties not".split(
    " ",
  );

/** Constraints of its schema are in descriptions. */
function described(tool: JsonObject): JsonObject {
  return { ...tool, inputSchema: mapSchemas(tool["inputSchema"], withConstraints) };
}

function withConstraints(schema: JsonObject): JsonObject {
  const names = constraints.filter((name) => name in schema);
  if (names.length === 0) return schema;
  const list = names.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(", ");
  const { description } = schema;
  const before = typeof description === "string" ? `${description}\n\n` : "";
  const others = Object.entries(schema).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(others), description: `${before}{${list}}` };
}

function qualified(tool: string): string {
  return `${serverName}-${tool}`;
}

function reported(answer: AnswerFacts): ShownText {
  const texts = answer.blocks.flatMap((block): ShownText => {
    if (block.kind === "text") return block.parts;
    return block.kind === "resource-text" ? [block.text] : [];
  });
  const { structured, isTwice } = answer;
  const all = structured && !isTwice ? [...texts, structured] : texts;
  return [`MCP server '${serverName}': `, ...(all.length === 0 ? ["Tool execution failed"] : all)];
}

// A result of 2026-07-28 needs no content.
function isRejected(result: unknown): boolean {
  const isTyped = textAt(result, "resultType") !== undefined;
  const hasContent = (memberAt(result, "content") ?? null) !== null;
  return (hasContent || !isTyped) && isOtherResult(result);
}

/** Repeats the whole answer. */
function unexpected(result: unknown): string {
  const isEmpty = isObject(result) && Object.keys(result).length === 0;
  const got = isEmpty
    ? "EmptyResult(EmptyObject)"
    : `CustomResult(CustomResult(${debugText(result)}))`;
  return `MCP server '${serverName}': MCP request failed: expected CallToolResult from tools/call, got ${got}`;
}

/** JSON as its program prints it, with the type of each value. */
function debugText(value: unknown): string {
  if (Array.isArray(value)) return `Array [${value.map(debugText).join(", ")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}: ${debugText(member)}`,
    );
    return `Object {${members.join(", ")}}`;
  }
  if (typeof value === "string") return `String(${JSON.stringify(value)})`;
  if (typeof value === "boolean") return `Bool(${value})`;
  return typeof value === "number" ? `Number(${value})` : "Null";
}

function limited(parts: readonly Part[]): Limited | undefined {
  const value = bytesIn(parts);
  if (value <= answerBytes) return undefined;
  const text = textOf(parts);
  const size = kilobytes(Buffer.byteLength(text)).replace("KB", " KB");
  const head = text.slice(0, previewCharacters);
  const left = `Output too large to read at once (${size}). Saved to: ${file}\nConsider using tools like rg (for searching), head/tail (for viewing start/end), view with view_range (for specific sections), or jq (for JSON) to examine portions of the output.\n\nPreview (first 500 chars):\n${head}`;
  const kept = [frame(left), ...mediaOf(parts)];
  return { parts: kept, alert: "would_spill", value, limit: answerBytes, unit: "byte" };
}
