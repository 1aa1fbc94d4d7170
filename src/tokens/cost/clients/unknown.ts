import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { asciiEscaped, keepingNotes, spacedJson, writtenJson } from "#wire/written-json.ts";
import type { Ceiling, Readings } from "../ceiling.ts";
import { blockParts, type Part, resourceContentParts } from "../part.ts";
import { toBlocks } from "../sampling.ts";
import { flawText, isBlock, isMessage, isResource, isSoundResult } from "./rejections.ts";

// Which readings there are, and who has them: docs/adr/0152-unknown-clients.md.

/** Bytes of the most expensive reading per byte: `{"type":"resource_link"}` becomes 177 of 25. */
export const readingBytesPerByte = 8;
export const readingBytesBeside = 64;

/** `twin` is the text that says the same as the structure: clients show one of the two. */
export function toolReadings(
  result: unknown,
  twin: string | undefined,
  visible: readonly Part[],
): Ceiling {
  const content = memberAt(result, "content");
  const structured = memberAt(result, "structuredContent") ?? undefined;
  // Of a result without content the Vercel AI SDK shows all members.
  if (!Array.isArray(content)) {
    const flaw = content === undefined ? [] : [[flawText(undefined)]];
    return [[visible, ...jsonReadings(result), ...innerJson(structured), ...flaw]];
  }
  const isAlone = content.length === 0;
  const shown = structured === undefined ? [] : [jsonReadings(structured, isAlone)];
  const all: Readings[] = content.map(blockReadings);
  const at = content.findIndex((block) => isText(block) && textAt(block, "text") === twin);
  const said = all[at];
  if (said && twin !== undefined) all[at] = [...said, ...shown.flat()];
  else all.push(...shown);
  if (isObject(result) && !isSoundResult(result)) all.push([[flawText(undefined)]]);
  if (all.length > 0) return all;
  const others = othersBeside(result, "content");
  return others.length > 0 ? others : [[visible]];
}

export function promptReadings(result: unknown): Ceiling {
  const messages = arrayAt(result, "messages").map((message): Readings => {
    const parts = toBlocks(memberAt(message, "content")).flatMap((block) =>
      blockParts(block, false),
    );
    return [parts, ...jsonReadings(withNulls(message), true), ...flaws(message, isMessage)];
  });
  return [...messages, ...othersBeside(result, "messages")];
}

export function resourceReadings(result: unknown): Ceiling {
  const contents = arrayAt(result, "contents").map((resource): Readings => {
    const parts = resourceContentParts([resource], false);
    const isWhole = isObject(resource) && textAt(resource, "uri") !== undefined;
    const filled = isWhole ? nullsIn(resource, resourceNulls) : resource;
    return [parts, ...jsonReadings(filled, true), ...flaws(resource, isResource)];
  });
  return [...contents, ...othersBeside(result, "contents")];
}

export function errorReadings(error: unknown, visible: readonly Part[]): Ceiling {
  return [[visible, ...jsonReadings(error, true)]];
}

function othersBeside(result: unknown, list: string): Ceiling {
  if (!isObject(result)) return result === undefined ? [] : [jsonReadings(result)];
  const isRead = (name: string): boolean => name === list && Array.isArray(result[name]);
  const names = Object.keys(result).filter((name) => !unread.has(name) && !isRead(name));
  if (names.length === 0) return [];
  return [jsonReadings(Object.fromEntries(names.map((name) => [name, result[name]])))];
}

const unread = new Set(["_meta", "resultType"]);

/** As text or media, and as JSON; JSON within JSON only for blocks that are not text. */
function blockReadings(block: unknown): Readings {
  const parts = blockParts(block, false);
  if (isPlain(block)) return [parts, [text(plainJson(block))]];
  return [parts, ...jsonReadings(withNulls(block), !isText(block)), ...flaws(block, isBlock)];
}

/** Of plain text the JSON of Python differs from the compact one by the spaces of its frame alone, and costs more. */
function plainJson(block: unknown): string {
  const json = JSON.stringify(textAt(block, "text"));
  return `{"annotations": null, "_meta": null, "type": "text", "text": ${json}}, `;
}

function flaws(value: unknown, isSound: (value: unknown) => boolean): Readings {
  return isSound(value) ? [] : [[flawText(value)]];
}

function isText(block: unknown): boolean {
  return textAt(block, "type") === "text";
}

function isPlain(block: unknown): boolean {
  if (!isObject(block) || block["type"] !== "text") return false;
  const [, second, ...more] = Object.keys(block);
  const { text: said } = block;
  return second === "text" && more.length === 0 && typeof said === "string" && ascii.test(said);
}

/** Without the characters that {@link asciiEscaped} escapes. */
const ascii = /^[\0-%'-;=?-~]*$/;

/** Compact; as `json.dumps` of Python writes it; where `isInner`, also escaped in a text. A separator is added. */
function jsonReadings(value: unknown, isInner = false): Readings {
  const json = writtenJson(value);
  const inner = isInner ? innerJson(value, json) : [];
  return [[text(`${json},`)], [text(asciiEscaped(`${spacedJson(json)}, `))], ...inner];
}

function innerJson(value: unknown, json = value === undefined ? "" : writtenJson(value)): Readings {
  // Shorter JSON is not a block, and would weigh less than its frame.
  if (json.length < 9) return [];
  const inner = `{"type":"text","text":${JSON.stringify(json)}},`;
  const escaped = asciiEscaped(inner);
  return escaped === inner ? [[text(inner)]] : [[text(inner)], [text(escaped)]];
}

function text(of: string): Part {
  return { kind: "text", text: of };
}

// Members that `model_dump_json` of the Python SDK writes as null where a server leaves them out.
const dataNulls = nulls("annotations", "_meta");
const resourceNulls = nulls("mimeType", "_meta");
const linkNulls = nulls(
  "title",
  "description",
  "mimeType",
  "size",
  "icons",
  "annotations",
  "_meta",
);
const iconNulls = nulls("mimeType", "sizes", "theme");
const annotationNulls = nulls("audience", "priority", "lastModified");
const blockNulls = new Map<unknown, JsonObject>([
  ["text", dataNulls],
  ["image", dataNulls],
  ["audio", dataNulls],
  ["resource", dataNulls],
  ["resource_link", linkNulls],
]);

function nulls(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, null]));
}

function withNulls(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const { content } = raw;
  if (isObject(content)) return keepingNotes({ ...raw, content: withNulls(content) }, raw);
  const missing = blockNulls.get(raw["type"]);
  return missing ? nullsIn(raw, missing) : raw;
}

function nullsIn(raw: JsonObject, missing: JsonObject): JsonObject {
  const { annotations, icons, resource, uri } = raw;
  const inner = {
    ...(typeof uri === "string" && { uri: percentEncoded(uri) }),
    ...(isObject(annotations) && { annotations: nullsIn(annotations, annotationNulls) }),
    ...(isObject(resource) && { resource: nullsIn(resource, resourceNulls) }),
    ...(Array.isArray(icons) && { icons: keepingNotes(icons.map(iconWithNulls), icons) }),
  };
  return keepingNotes({ ...missing, ...raw, ...inner }, raw);
}

/** As the Python SDK 1 writes the address of a resource. */
function percentEncoded(uri: string): string {
  return encodeURI(uri.toWellFormed()).replaceAll("%25", "%");
}

function iconWithNulls(icon: unknown): unknown {
  return isObject(icon) && textAt(icon, "src") !== undefined ? nullsIn(icon, iconNulls) : icon;
}
