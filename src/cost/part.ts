import { compactJson, isObject, textAt } from "#wire/json.ts";
import { type Audio, readAudio } from "./media/audio.ts";
import { base64Bytes, withoutDataUrl } from "./media/base64.ts";
import type { ClientProfile } from "./client-profile.ts";
import { type ImageSize, readImageSize } from "./media/image-size.ts";

/**
 * One thing that has a price. `block` is the content block it comes from, for estimators that price whole
 * content arrays; two parts of one block share it, `structuredContent` has none.
 */
export type Part =
  | TextPart
  | {
      readonly kind: "image";
      /** Undefined when the header could not be read. */
      readonly size: ImageSize | undefined;
      readonly bytes: number;
      readonly block?: unknown;
    }
  | ({ readonly kind: "audio"; readonly block?: unknown } & Audio);

/** A text that has a price. */
export type TextPart = { readonly kind: "text"; readonly text: string; readonly block?: unknown };

/** Parts of a content array: of a result, of a prompt's messages or of sampling. */
export function contentParts(
  rawBlocks: readonly unknown[],
  profile: ClientProfile,
): readonly Part[] {
  return rawBlocks.flatMap((block) => blockParts(block, profile));
}

/** Parts of the contents of `resources/read`, each as if it were embedded in a result. */
export function resourceContentParts(
  rawContents: readonly unknown[],
  profile: ClientProfile,
): readonly Part[] {
  return rawContents.flatMap((resource) => resourceParts({ type: "resource", resource }, profile));
}

/** A value as its compact JSON. */
export function jsonPart(value: unknown, block?: unknown): TextPart {
  const text = compactJson(value);
  return block === undefined ? { kind: "text", text } : { kind: "text", text, block };
}

function blockParts(block: unknown, profile: ClientProfile): readonly Part[] {
  const data = textAt(block, "data");
  switch (textAt(block, "type")) {
    case "text":
      return [{ kind: "text", text: textAt(block, "text") ?? "", block }];
    case "image":
      return [data === undefined ? plainPart(block) : imagePart(data, block)];
    case "audio":
      return [data === undefined ? plainPart(block) : audioPart(data, block)];
    case "resource":
      return resourceParts(block, profile);
    case "resource_link":
      return [profile.resources === "json" ? plainPart(block) : linkPart(block)];
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

function resourceParts(block: unknown, profile: ClientProfile): readonly Part[] {
  if (profile.resources === "json") return [plainPart(block)];
  const uri = textAt(block, "resource", "uri") ?? "";
  const text = textAt(block, "resource", "text");
  if (text !== undefined) return [{ kind: "text", text: `${uri}\n${text}`, block }];
  const blob = textAt(block, "resource", "blob");
  if (blob === undefined) return [plainPart(block)];
  const type = textAt(block, "resource", "mimeType") ?? "";
  const line: Part = { kind: "text", text: `${uri} ${type}`.trim(), block };
  if (type.startsWith("image/")) return [line, imagePart(blob, block)];
  const isShown = profile.resources === "media" && type.startsWith("audio/");
  return isShown ? [line, audioPart(blob, block)] : [line];
}

/** A block as its JSON, without `_meta` and without the bytes of media that do not have a price. */
function plainPart(block: unknown): Part {
  if (!isObject(block)) return jsonPart(block, block);
  const isMedia = typeof block["mimeType"] === "string";
  const shown = Object.entries(block).filter(
    ([name]) => name !== "_meta" && !(isMedia && name === "data"),
  );
  return jsonPart(Object.fromEntries(shown), block);
}
