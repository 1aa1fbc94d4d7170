import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  escapeLikeGoAndPython,
  copyNotes,
  addJsonSpaces,
  stringifyAsWritten,
} from "#wire/written-json.ts";
import { type Ceiling, type Readings, estimateMedia } from "../count-parts.ts";
import type { Reader } from "../reader.ts";
import { listBlockParts, type Part, listReadResourceParts } from "./block.ts";
import { makeTextPart } from "./common.ts";
import { toBlocks } from "../sampling.ts";
import { makeFlawText, isBlock, isMessage, isResource, isValidResult } from "./rejections.ts";

// An unknown client may show a block in several forms, or an SDK's error instead. Each form or error is a reading. If
// the client shows every block in its longest form, an answer of n bytes becomes at most n × `readingBytesPerByte` +
// `readingBytesBase` bytes. Example: the longest form of the 25 bytes `{"type":"resource_link"},` is 173 bytes long.
export const readingBytesPerByte = 8;
export const readingBytesBase = 64;

// If a text block repeats the structured content to the letter, clients show only one of them.
export function listToolReadings(
  result: unknown,
  structuredJson: string | undefined,
  visible: readonly Part[],
): Ceiling {
  const content = readMember(result, "content");
  const structured = readMember(result, "structuredContent") ?? undefined;
  // The Vercel AI SDK shows every member of a result without content.
  if (!Array.isArray(content)) {
    const flaw = content === undefined ? [] : [[makeFlawText(undefined)]];
    return [[visible, ...listJsonReadings(result), ...listInnerJson(structured), ...flaw]];
  }
  const isAlone = content.length === 0;
  const structuredReadings =
    structured === undefined ? [] : [listJsonReadings(structured, isAlone)];
  const readings: Readings[] = content.map(listBlockReadings);
  const at = content.findIndex(
    (block) => isText(block) && readString(block, "text") === structuredJson,
  );
  const repeated = structuredJson === undefined ? undefined : readings[at];
  if (repeated) readings[at] = [...repeated, ...structuredReadings.flat()];
  else readings.push(...structuredReadings);
  if (isObject(result) && !isValidResult(result)) readings.push([[makeFlawText(undefined)]]);
  if (readings.length > 0) return readings;
  const others = listOtherReadings(result, "content");
  return others.length > 0 ? others : [[visible]];
}

export function listPromptReadings(result: unknown): Ceiling {
  const messages = readArray(result, "messages").map((message): Readings => {
    const parts = toBlocks(readMember(message, "content")).flatMap((block) =>
      listBlockParts(block, false),
    );
    return [
      parts,
      ...listJsonReadings(fillBlockNulls(message), true),
      ...listFlaws(message, isMessage),
    ];
  });
  return [...messages, ...listOtherReadings(result, "messages")];
}

export function listResourceReadings(result: unknown): Ceiling {
  const contents = readArray(result, "contents").map((resource): Readings => {
    const parts = listReadResourceParts([resource], false);
    const isWhole = isObject(resource) && readString(resource, "uri") !== undefined;
    const filled = isWhole ? fillNulls(resource, resourceNulls) : resource;
    return [parts, ...listJsonReadings(filled, true), ...listFlaws(resource, isResource)];
  });
  return [...contents, ...listOtherReadings(result, "contents")];
}

export function listPayloadReadings(payload: unknown, visible: readonly Part[]): Ceiling {
  return [[visible, ...listJsonReadings(payload, true)]];
}

/** Unknown clients may show a block's base64 as text. Returns the most tokens that this adds to the usual estimate. */
export function countExtraBase64(piece: Part, reader: Reader): number {
  const { profile, estimator } = reader;
  if (!profile.isUnknown || estimator.countContent) return 0;
  if (piece.kind === "text") {
    // A resource's image is a separate piece.
    const isImage = readString(piece.block, "resource", "mimeType")?.startsWith("image/") === true;
    const blob = isImage ? "" : (readString(piece.block, "resource", "blob") ?? "");
    return blob.length * estimator.tokensPerTextByteMax;
  }
  const characters = Math.ceil(piece.bytes / 3) * 4;
  return Math.max(
    0,
    characters * estimator.tokensPerTextByteMax - estimateMedia(piece, reader).tokens,
  );
}

function listOtherReadings(result: unknown, list: string): Ceiling {
  if (!isObject(result)) return result === undefined ? [] : [listJsonReadings(result)];
  const isRead = (name: string): boolean => name === list && Array.isArray(result[name]);
  const names = Object.keys(result).filter((name) => !ignoredMembers.has(name) && !isRead(name));
  if (names.length === 0) return [];
  return [listJsonReadings(Object.fromEntries(names.map((name) => [name, result[name]])))];
}

const ignoredMembers = new Set(["_meta", "resultType"]);

function listBlockReadings(block: unknown): Readings {
  const parts = listBlockParts(block, false);
  if (isPlainText(block)) return [parts, [makeTextPart(formatPlainText(block))]];
  return [
    parts,
    ...listJsonReadings(fillBlockNulls(block), !isText(block)),
    ...listFlaws(block, isBlock),
  ];
}

// The block as Python writes it. Compact JSON needs no separate reading: with fewer spaces, it has fewer tokens.
function formatPlainText(block: unknown): string {
  const json = JSON.stringify(readString(block, "text"));
  return `{"annotations": null, "_meta": null, "type": "text", "text": ${json}}, `;
}

function listFlaws(value: unknown, isValid: (value: unknown) => boolean): Readings {
  return isValid(value) ? [] : [[makeFlawText(value)]];
}

function isText(block: unknown): boolean {
  return readString(block, "type") === "text";
}

// True if a text block has only `type` and `text`, in this order, and `escapeLikeGoAndPython` keeps the text unchanged.
function isPlainText(block: unknown): boolean {
  if (!isObject(block) || Object.keys(block).join() !== "type,text") return false;
  const { type, text } = block;
  return type === "text" && typeof text === "string" && unescapedAscii.test(text);
}

const unescapedAscii = /^[\0-%'-;=?-~]*$/;

// Returns two readings: compact JSON, and JSON with the spaces of Python and the escapes of Go and Python. With
// `includesInner`, also returns text blocks that hold the compact JSON. Each reading ends with a separator.
function listJsonReadings(value: unknown, includesInner = false): Readings {
  const json = stringifyAsWritten(value);
  const spaced = escapeLikeGoAndPython(`${addJsonSpaces(json)}, `);
  const inner = includesInner ? listInnerJson(value, json) : [];
  return [[makeTextPart(`${json},`)], [makeTextPart(spaced)], ...inner];
}

function listInnerJson(
  value: unknown,
  json = value === undefined ? "" : stringifyAsWritten(value),
): Readings {
  // A text block around very short JSON could exceed the limit that `readingBytesPerByte` sets.
  if (json.length < 9) return [];
  const inner = `{"type":"text","text":${JSON.stringify(json)}},`;
  return [...new Set([inner, escapeLikeGoAndPython(inner)])].map((text) => [makeTextPart(text)]);
}

const commonNulls = makeNulls("annotations", "_meta");
const resourceNulls = makeNulls("mimeType", "_meta");
const linkNulls = makeNulls(
  "title",
  "description",
  "mimeType",
  "size",
  "icons",
  "annotations",
  "_meta",
);
const iconNulls = makeNulls("mimeType", "sizes", "theme");
const annotationNulls = makeNulls("audience", "priority", "lastModified");
const blockNulls = new Map<unknown, JsonObject>([
  ["text", commonNulls],
  ["image", commonNulls],
  ["audio", commonNulls],
  ["resource", commonNulls],
  ["resource_link", linkNulls],
]);

function makeNulls(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, null]));
}

// The Python SDK writes absent members as null.
function fillBlockNulls(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const { content } = raw;
  if (isObject(content)) return copyNotes({ ...raw, content: fillBlockNulls(content) }, raw);
  const missing = blockNulls.get(raw["type"]);
  return missing ? fillNulls(raw, missing) : raw;
}

function fillNulls(raw: JsonObject, missing: JsonObject): JsonObject {
  const { annotations, icons, resource, uri } = raw;
  const inner = {
    ...(typeof uri === "string" && { uri: percentEncode(uri) }),
    ...(isObject(annotations) && { annotations: fillNulls(annotations, annotationNulls) }),
    ...(isObject(resource) && { resource: fillNulls(resource, resourceNulls) }),
    ...(Array.isArray(icons) && { icons: copyNotes(icons.map(fillIconNulls), icons) }),
  };
  return copyNotes({ ...missing, ...raw, ...inner }, raw);
}

// Encodes URIs of resources as version 1 of the Python SDK does.
function percentEncode(uri: string): string {
  return encodeURI(uri.toWellFormed()).replaceAll("%25", "%");
}

function fillIconNulls(icon: unknown): unknown {
  return isObject(icon) && readString(icon, "src") !== undefined
    ? fillNulls(icon, iconNulls)
    : icon;
}
