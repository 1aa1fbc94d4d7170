import { readAudio } from "#cost/media/audio.ts";
import { base64Bytes, withoutDataUrl } from "#cost/media/base64.ts";
import { readImageSize } from "#cost/media/image-size.ts";
import type { MediaPart } from "#cost/part.ts";
import { mediaTokens } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import type { ReadPart } from "../apis/api.ts";
import { countTokens } from "./tokens.ts";

/** Tokens of the parts that a model read: text by o200k, media by the price of the reader's model. */
export function readTokens(parts: readonly ReadPart[], reader: Reader): number {
  return parts.reduce((sum, part) => sum + tokensOf(part, reader), 0);
}

function tokensOf(part: ReadPart, reader: Reader): number {
  return part.kind === "text" ? countTokens(part.text) : mediaTokens(mediumOf(part), reader).tokens;
}

function mediumOf({ kind, data }: Exclude<ReadPart, { kind: "text" }>): MediaPart {
  const bytes = base64Bytes(withoutDataUrl(data));
  if (kind === "audio") return { kind: "audio", ...readAudio(data) };
  return kind === "image"
    ? { kind: "image", size: readImageSize(data), bytes }
    : { kind: "image", size: undefined, bytes };
}
