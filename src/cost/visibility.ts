import { arrayAt, compactJson, isObject, memberAt, textAt } from "#wire/json.ts";
import { readAudio } from "./audio.ts";
import type { Audio } from "./audio.ts";
import { base64Bytes, withoutDataUrl } from "./base64.ts";
import type { ClientProfile } from "./client-profile.ts";
import { readImageSize } from "./image.ts";
import type { ImageSize } from "./image.ts";
import { isJsonEqual } from "#wire/json-equal.ts";

/**
 * One thing that is priced. `block` is the content block it was made from, for estimators that price
 * whole content arrays; two parts of one block share it, `structuredContent` has none.
 */
export type Part =
  | { readonly kind: "text"; readonly text: string; readonly block?: unknown }
  | {
      readonly kind: "image";
      /** Undefined when the header could not be read. */
      readonly size: ImageSize | undefined;
      readonly bytes: number;
      readonly block?: unknown;
    }
  | ({ readonly kind: "audio"; readonly block?: unknown } & Audio);

/** An answer three times: what the model sees, what came over the wire, what came twice. */
export type Visibility = {
  readonly visible: readonly Part[];
  readonly wire: readonly Part[];
  /** Text blocks that are JSON-equal to `structuredContent`; each is also in `wire`. */
  readonly duplicate: readonly Part[];
};

/**
 * What a client shows its model of a `tools/call` result. Total: any JSON value is some result. Parts in
 * more than one list are the same objects, so that a price can be kept by part.
 */
export function describeToolResult(rawResult: unknown, profile: ClientProfile): Visibility {
  const content = partsOf(arrayAt(rawResult, "content"), profile);
  const structured = structuredPart(rawResult);
  const others = otherParts(rawResult);
  const wire = [...content, ...structured, ...others];
  if (structured.length === 0) {
    return { visible: content.length > 0 ? content : others, wire, duplicate: [] };
  }
  const shown = besideStructured(content, profile);
  return {
    visible: shown === undefined ? content : [...shown, ...structured],
    wire,
    duplicate: duplicates(content, memberAt(rawResult, "structuredContent"), structured[0]?.text),
  };
}

/** Parts of any content array: of a result, of prompt and sampling messages. */
export function partsOf(rawBlocks: readonly unknown[], profile: ClientProfile): readonly Part[] {
  return rawBlocks.flatMap((block) => blockParts(block, profile));
}

/** Parts of `resources/read` contents, each as if it were embedded in a result. */
export function partsOfContents(
  rawContents: readonly unknown[],
  profile: ClientProfile,
): readonly Part[] {
  return partsOf(
    rawContents.map((resource) => ({ type: "resource", resource })),
    profile,
  );
}

/** What stays of `content` where `structuredContent` is shown; undefined where it is shown instead. */
function besideStructured(
  content: readonly Part[],
  { besideStructured: kept }: ClientProfile,
): readonly Part[] | undefined {
  if (kept === "nothing") return [];
  if (kept === "images") return content.filter(({ kind }) => kind === "image");
  return kept === "content-instead" && content.length > 0 ? undefined : content;
}

type TextPart = Extract<Part, { kind: "text" }>;

function structuredPart(rawResult: unknown): readonly TextPart[] {
  const structured = memberAt(rawResult, "structuredContent");
  const text = structured === null ? "" : compactJson(structured);
  return text === "" ? [] : [{ kind: "text", text }];
}

const knownMembers = new Set(["structuredContent", "isError", "resultType", "_meta"]);

/** What a result holds beside the members of its type; all of it when it is no object. */
function otherParts(rawResult: unknown): readonly TextPart[] {
  if (rawResult === undefined) return [];
  if (!isObject(rawResult)) return [textOf(rawResult)];
  const members = Object.entries(rawResult).filter(
    ([name, value]) => !knownMembers.has(name) && !(name === "content" && Array.isArray(value)),
  );
  return members.length === 0 ? [] : [textOf(Object.fromEntries(members))];
}

function textOf(value: unknown, block?: unknown): TextPart {
  const text = compactJson(value);
  return block === undefined ? { kind: "text", text } : { kind: "text", text, block };
}

function duplicates(
  content: readonly Part[],
  structured: unknown,
  structuredText: string | undefined,
): readonly Part[] {
  if (structuredText === undefined) return [];
  return content.filter(
    (part) =>
      part.kind === "text" &&
      textAt(part.block, "type") === "text" &&
      isJsonEqual(part.text, structured, structuredText),
  );
}

function blockParts(block: unknown, profile: ClientProfile): readonly Part[] {
  const data = textAt(block, "data");
  switch (textAt(block, "type")) {
    case "text":
      return [{ kind: "text", text: textAt(block, "text") ?? "", block }];
    case "image":
      return data === undefined ? [plainBlock(block)] : [imagePart(data, block)];
    case "audio":
      return data === undefined
        ? [plainBlock(block)]
        : [{ kind: "audio", ...readAudio(data), block }];
    case "resource":
      return resourceParts(block, profile);
    case "resource_link":
      return [profile.resources === "json" ? plainBlock(block) : linkPart(block)];
    default:
      return [plainBlock(block)];
  }
}

function imagePart(data: string, block: unknown): Part {
  return {
    kind: "image",
    size: readImageSize(data),
    bytes: base64Bytes(withoutDataUrl(data)),
    block,
  };
}

function linkPart(block: unknown): Part {
  const texts = ["uri", "name", "description"].map((key) => textAt(block, key) ?? "");
  return { kind: "text", text: texts.filter((text) => text !== "").join("\n"), block };
}

function resourceParts(block: unknown, profile: ClientProfile): readonly Part[] {
  if (profile.resources === "json") return [plainBlock(block)];
  const uri = textAt(block, "resource", "uri") ?? "";
  const text = textAt(block, "resource", "text");
  if (text !== undefined) return [{ kind: "text", text: `${uri}\n${text}`, block }];
  const blob = textAt(block, "resource", "blob");
  if (blob === undefined) return [plainBlock(block)];
  const type = textAt(block, "resource", "mimeType") ?? "";
  const line: Part = { kind: "text", text: `${uri} ${type}`.trim(), block };
  if (type.startsWith("image/")) return [line, imagePart(blob, block)];
  if (profile.resources === "media" && type.startsWith("audio/")) {
    return [line, { kind: "audio", ...readAudio(blob), block }];
  }
  return [line];
}

/** A block as its JSON, without `_meta`, and without the bytes of media that have no price. */
function plainBlock(block: unknown): Part {
  if (!isObject(block)) return textOf(block, block);
  const isMedia = typeof block["mimeType"] === "string";
  const shown = Object.entries(block).filter(
    ([name]) => name !== "_meta" && !(isMedia && name === "data"),
  );
  return textOf(Object.fromEntries(shown), block);
}
