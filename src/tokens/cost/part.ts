import { compactJson, isObject, textAt } from "#wire/json.ts";
import { type Audio, readAudio } from "./media/audio.ts";
import { base64Bytes, withoutDataUrl, type ImageSize, readImageSize } from "./media/image.ts";

// `block` is the content block, for estimators that price whole content arrays; absent for `structuredContent`.
export type Part =
  | TextPart
  | {
      readonly kind: "image";
      readonly size: ImageSize | undefined;
      readonly bytes: number;
      readonly block?: unknown;
    }
  | ({ readonly kind: "audio"; readonly block?: unknown } & Audio);

export type MediaPart = Exclude<Part, TextPart>;

export type TextPart = { readonly kind: "text"; readonly text: string; readonly block?: unknown };

// `isJson`: links and resources are priced as the JSON of their block, base64 included.
export function contentParts(rawBlocks: readonly unknown[], isJson: boolean): readonly Part[] {
  return rawBlocks.flatMap((block) => blockParts(block, isJson));
}

export function resourceContentParts(
  rawContents: readonly unknown[],
  isJson: boolean,
): readonly Part[] {
  return rawContents.flatMap((resource) => resourceParts({ type: "resource", resource }, isJson));
}

export function jsonPart(value: unknown, block?: unknown): TextPart {
  const text = compactJson(value);
  return block === undefined ? { kind: "text", text } : { kind: "text", text, block };
}

export function blockParts(block: unknown, isJson: boolean): readonly Part[] {
  const data = textAt(block, "data");
  switch (textAt(block, "type")) {
    case "text":
      return [{ kind: "text", text: textAt(block, "text") ?? "", block }];
    case "image":
      return [data === undefined ? plainPart(block) : imagePart(data, block)];
    case "audio":
      return [data === undefined ? plainPart(block) : audioPart(data, block)];
    case "resource":
      return resourceParts(block, isJson);
    case "resource_link":
      return [isJson ? plainPart(block) : linkPart(block)];
    default:
      return [plainPart(block)];
  }
}

function imagePart(data: string, block: unknown): Part {
  const bytes = base64Bytes(withoutDataUrl(data));
  return { kind: "image", size: readImageSize(data), bytes, block };
}

function audioPart(data: string, block: unknown): Part {
  return { kind: "audio", ...readAudio(data), block };
}

function linkPart(block: unknown): Part {
  const texts = ["uri", "name", "description"].map((key) => textAt(block, key) ?? "");
  return { kind: "text", text: texts.filter((text) => text !== "").join("\n"), block };
}

function resourceParts(block: unknown, isJson: boolean): readonly Part[] {
  if (isJson) return [plainPart(block)];
  const uri = textAt(block, "resource", "uri") ?? "";
  const text = textAt(block, "resource", "text");
  if (text !== undefined) return [{ kind: "text", text: `${uri}\n${text}`, block }];
  const blob = textAt(block, "resource", "blob");
  if (blob === undefined) return [plainPart(block)];
  const type = textAt(block, "resource", "mimeType") ?? "";
  const line: Part = { kind: "text", text: `${uri} ${type}`.trim(), block };
  return type.startsWith("image/") ? [line, imagePart(blob, block)] : [line];
}

export function unmeasuredMedia(bytes: number): Part {
  return { kind: "image", size: undefined, bytes };
}

// JSON without `_meta`, and without media bytes that have no price.
function plainPart(block: unknown): Part {
  if (!isObject(block)) return jsonPart(block, block);
  const isMedia = typeof block["mimeType"] === "string";
  const shown = Object.entries(block).filter(
    ([name]) => name !== "_meta" && !(isMedia && name === "data"),
  );
  return jsonPart(Object.fromEntries(shown), block);
}
