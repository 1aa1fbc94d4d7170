import { stringifyCompact, isObject, readString } from "#wire/json.ts";
import { type Audio, readAudio } from "./media/audio.ts";
import { countBase64Bytes, stripDataUrl, type ImageSize, readImageSize } from "./media/image.ts";

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
export function listContentParts(rawBlocks: readonly unknown[], isJson: boolean): readonly Part[] {
  return rawBlocks.flatMap((block) => listBlockParts(block, isJson));
}

export function listContentsParts(
  rawContents: readonly unknown[],
  isJson: boolean,
): readonly Part[] {
  return rawContents.flatMap((resource) =>
    listResourceParts({ type: "resource", resource }, isJson),
  );
}

export function makeJsonPart(value: unknown, block?: unknown): TextPart {
  const text = stringifyCompact(value);
  return block === undefined ? { kind: "text", text } : { kind: "text", text, block };
}

export function listBlockParts(block: unknown, isJson: boolean): readonly Part[] {
  const data = readString(block, "data");
  switch (readString(block, "type")) {
    case "text":
      return [{ kind: "text", text: readString(block, "text") ?? "", block }];
    case "image":
      return [data === undefined ? makePlainPart(block) : makeImagePart(data, block)];
    case "audio":
      return [data === undefined ? makePlainPart(block) : makeAudioPart(data, block)];
    case "resource":
      return listResourceParts(block, isJson);
    case "resource_link":
      return [isJson ? makePlainPart(block) : makeLinkPart(block)];
    default:
      return [makePlainPart(block)];
  }
}

function makeImagePart(data: string, block: unknown): Part {
  const bytes = countBase64Bytes(stripDataUrl(data));
  return { kind: "image", size: readImageSize(data), bytes, block };
}

function makeAudioPart(data: string, block: unknown): Part {
  return { kind: "audio", ...readAudio(data), block };
}

function makeLinkPart(block: unknown): Part {
  const texts = ["uri", "name", "description"].map((key) => readString(block, key) ?? "");
  return { kind: "text", text: texts.filter((text) => text !== "").join("\n"), block };
}

function listResourceParts(block: unknown, isJson: boolean): readonly Part[] {
  if (isJson) return [makePlainPart(block)];
  const uri = readString(block, "resource", "uri") ?? "";
  const text = readString(block, "resource", "text");
  if (text !== undefined) return [{ kind: "text", text: `${uri}\n${text}`, block }];
  const blob = readString(block, "resource", "blob");
  if (blob === undefined) return [makePlainPart(block)];
  const type = readString(block, "resource", "mimeType") ?? "";
  const line: Part = { kind: "text", text: `${uri} ${type}`.trim(), block };
  return type.startsWith("image/") ? [line, makeImagePart(blob, block)] : [line];
}

export function makeUnmeasuredMedia(bytes: number): Part {
  return { kind: "image", size: undefined, bytes };
}

// JSON without `_meta`, and without media bytes that have no price.
function makePlainPart(block: unknown): Part {
  if (!isObject(block)) return makeJsonPart(block, block);
  const isMedia = typeof block["mimeType"] === "string";
  const shown = Object.entries(block).filter(
    ([name]) => name !== "_meta" && !(isMedia && name === "data"),
  );
  return makeJsonPart(Object.fromEntries(shown), block);
}
