import { imageHeaderBytesMax, jpegHeaderBytesMax, jpegSegmentsMax } from "#limits.ts";
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { decodeBase64, withoutDataUrl } from "./base64.ts";
import type { Confidence } from "./estimation.ts";

/** Pixels. */
export type ImageSize = { readonly width: number; readonly height: number };

/** The formats that models accept; anything else is not shown to a model as an image. */
const formats = [PNG, WEBP, GIF];

/** Size of a PNG, JPEG, GIF or WebP from the first bytes of its base64; undefined when it cannot be told. */
export function readImageSize(rawData: string): ImageSize | undefined {
  const data = withoutDataUrl(rawData);
  const head = decodeBase64(data, 0, imageHeaderBytesMax);
  try {
    if (head.length >= 4 && JPG.validate(head)) return sized(readJpeg(data));
    return sized(formats.find((format) => format.validate(head))?.calculate(head));
  } catch {
    return undefined;
  }
}

function sized(found: ImageSize | undefined): ImageSize | undefined {
  if (found === undefined || !(found.width > 0 && found.height > 0)) return undefined;
  return { width: found.width, height: found.height };
}

function readJpeg(data: string): ImageSize | undefined {
  const bytes = decodeBase64(data, 0, jpegHeaderBytesMax);
  const end = jpegFrameEnd(bytes);
  return end === undefined ? undefined : JPG.calculate(bytes.subarray(0, end));
}

/** Where the frame header ends; walking the chain first keeps a broken one from being searched byte by byte. */
function jpegFrameEnd(bytes: Uint8Array): number | undefined {
  let index = 2;
  for (let segment = 0; segment < jpegSegmentsMax && index + 9 <= bytes.length; segment += 1) {
    if (bytes[index] !== 0xff) return undefined;
    const marker = bytes[index + 1] ?? 0;
    const length = (bytes[index + 2] ?? 0) * 256 + (bytes[index + 3] ?? 0);
    if (marker >= 0xc0 && marker <= 0xc2) return index + 9;
    index += 2 + Math.max(2, length);
  }
  return undefined;
}

/** Price of an image by its size in pixels; always a whole number of tokens, at least 1, with an upper end. */
type ImageRule = (size: ImageSize) => number;

/** Rules by family; sources in docs/notes/models.md. */
const rules = {
  "claude-4.6": byPatches({ patch: 28, sideMax: 1568, patchesMax: 1568, factor: 1 }),
  "claude-5": byPatches({ patch: 28, sideMax: 2576, patchesMax: 4784, factor: 1 }),
  "gpt-4o": byTiles({ base: 85, perTile: 170 }),
  "gpt-5": byTiles({ base: 70, perTile: 140 }),
  "gpt-5.5": byPatches({ patch: 32, sideMax: 6000, patchesMax: 10_000, factor: 1.2 }),
  "gemini-2": byGeminiTiles,
  "gemini-3": () => 1100,
} as const satisfies Record<string, ImageRule>;

export type ImageRuleId = keyof typeof rules;

/** What an image of unread size is taken for. */
const typicalSize: ImageSize = { width: 1024, height: 1024 };

/** Tokens of one image; of unknown size, what the rule says of 1024 × 1024, with low confidence. */
export function imageTokens(
  rule: ImageRuleId,
  size: ImageSize | undefined,
): { readonly tokens: number; readonly confidence: Confidence } {
  if (size === undefined) return { tokens: rules[rule](typicalSize), confidence: "low" };
  return { tokens: rules[rule](size), confidence: "medium" };
}

function byPatches(of: {
  readonly patch: number;
  readonly sideMax: number;
  readonly patchesMax: number;
  readonly factor: number;
}): ImageRule {
  return (size) => {
    const { width, height } = shrink(size, of.sideMax / Math.max(size.width, size.height));
    const patches = Math.ceil(width / of.patch) * Math.ceil(height / of.patch);
    return Math.ceil(Math.min(patches, of.patchesMax) * of.factor);
  };
}

function byTiles(of: { readonly base: number; readonly perTile: number }): ImageRule {
  return (size) => {
    const fitted = shrink(size, 2048 / Math.max(size.width, size.height));
    const { width, height } = shrink(fitted, 768 / Math.min(fitted.width, fitted.height));
    return of.base + of.perTile * Math.ceil(width / 512) * Math.ceil(height / 512);
  };
}

function byGeminiTiles(size: ImageSize): number {
  if (size.width <= 384 && size.height <= 384) return 258;
  const { width, height } = shrink(size, 3072 / Math.max(size.width, size.height));
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

/** Scales down by `factor`, to whole pixels; never up. */
function shrink(size: ImageSize, factor: number): ImageSize {
  if (factor >= 1) return size;
  return {
    width: Math.max(1, Math.round(size.width * factor)),
    height: Math.max(1, Math.round(size.height * factor)),
  };
}
