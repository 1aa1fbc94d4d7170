import type { Confidence } from "../estimator.ts";
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";

type ImageRule = (size: ImageSize) => number;

// Sources: docs/notes/models.md.
const rules = {
  "claude-4.6": priceByPatches({ patch: 28, sideMax: 1568, patchesMax: 1568, factor: 1 }),
  "claude-5": priceByPatches({ patch: 28, sideMax: 2576, patchesMax: 4784, factor: 1 }),
  "gpt-4o": priceByTiles({ base: 85, perTile: 170 }),
  "gpt-5": priceByTiles({ base: 70, perTile: 140 }),
  "gpt-5.5": priceByPatches({ patch: 32, sideMax: 6000, patchesMax: 10_000, factor: 1.2 }),
  "gemini-2": priceByGeminiTiles,
  "gemini-3": () => 1100,
} as const satisfies Record<string, ImageRule>;

export type ImageRuleId = keyof typeof rules;

const typicalSize: ImageSize = { width: 1024, height: 1024 };

// Each rule charges the most for one of these: a square, or the longest strip that is not scaled to nothing.
const largestSizes: readonly ImageSize[] = [1, 2, 3, 4, 6, 8, 16].flatMap((sides) => [
  { width: 20_000, height: 20_000 * sides },
  { width: 20_000 * sides, height: 20_000 },
]);

export function priceImage(
  rule: ImageRuleId,
  size: ImageSize | undefined,
): { readonly tokens: number; readonly confidence: Confidence } {
  if (size === undefined) return { tokens: rules[rule](typicalSize), confidence: "low" };
  return { tokens: rules[rule](size), confidence: "medium" };
}

export function boundImagePrice(rule: ImageRuleId, size: ImageSize | undefined): number {
  return Math.max(...(size ? [size] : largestSizes).map((candidate) => rules[rule](candidate)));
}

// One token per square of `patch` pixels, after scaling the image down to `sideMax`.
function priceByPatches(terms: {
  readonly patch: number;
  readonly sideMax: number;
  readonly patchesMax: number;
  readonly factor: number;
}): ImageRule {
  return (size) => {
    const { width, height } = shrink(size, terms.sideMax / Math.max(size.width, size.height));
    const patches = Math.ceil(width / terms.patch) * Math.ceil(height / terms.patch);
    return Math.ceil(Math.min(patches, terms.patchesMax) * terms.factor);
  };
}

function priceByTiles(terms: { readonly base: number; readonly perTile: number }): ImageRule {
  return (size) => {
    const fitted = shrink(size, 2048 / Math.max(size.width, size.height));
    const { width, height } = shrink(fitted, 768 / Math.min(fitted.width, fitted.height));
    return terms.base + terms.perTile * Math.ceil(width / 512) * Math.ceil(height / 512);
  };
}

function priceByGeminiTiles(size: ImageSize): number {
  if (size.width <= 384 && size.height <= 384) return 258;
  const { width, height } = shrink(size, 3072 / Math.max(size.width, size.height));
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

function shrink(size: ImageSize, factor: number): ImageSize {
  if (factor >= 1) return size;
  return {
    width: Math.max(1, Math.round(size.width * factor)),
    height: Math.max(1, Math.round(size.height * factor)),
  };
}

const imageHeaderBytesMax = 64;

// Up to 64 KiB each of EXIF, XMP, colour profile and preview index precede the frame header.
const jpegHeaderBytesMax = 256 * 1024;

// Models get the first frame, which follows a colour table and comments.
const gifFrameBytesMax = 64 * 1024;

// A colour profile alone may have 255.
const jpegSegmentsMax = 512;

export type ImageSize = { readonly width: number; readonly height: number };

const formats = [PNG, WEBP];

export function isImageData(rawData: string): boolean {
  const head = decodeBase64(stripDataUrl(rawData), 0, imageHeaderBytesMax);
  return head.length >= 10 && [JPG, GIF, ...formats].some((format) => hasSignature(format, head));
}

function hasSignature(format: typeof PNG, head: Uint8Array): boolean {
  try {
    return format.validate(head);
  } catch {
    return false;
  }
}

export function readImageSize(rawData: string): ImageSize | undefined {
  const data = stripDataUrl(rawData);
  const head = decodeBase64(data, 0, imageHeaderBytesMax);
  try {
    if (head.length >= 4 && JPG.validate(head)) return checkSize(readJpeg(data));
    if (head.length >= 10 && GIF.validate(head)) return checkSize(readGif(data));
    return checkSize(formats.find((format) => format.validate(head))?.calculate(head));
  } catch {
    return undefined;
  }
}

function checkSize(found: ImageSize | undefined): ImageSize | undefined {
  if (found === undefined || !(found.width > 0 && found.height > 0)) return undefined;
  return { width: found.width, height: found.height };
}

function readJpeg(data: string): ImageSize | undefined {
  const bytes = decodeBase64(data, 0, jpegHeaderBytesMax);
  let index = 2;
  for (let segment = 0; segment < jpegSegmentsMax && index + 9 <= bytes.length; segment += 1) {
    if (bytes[index] !== 0xff) return undefined;
    // Any number of fill bytes may precede a marker.
    while (bytes[index + 1] === 0xff) index += 1;
    const marker = bytes[index + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) {
      return { height: readBigEndian(bytes, index + 5), width: readBigEndian(bytes, index + 7) };
    }
    index += 2 + Math.max(2, readBigEndian(bytes, index + 2));
  }
  return undefined;
}

// The larger of screen and frames, because some decoders enlarge the screen to fit the frames.
// Undefined if the first frame is too far away.
function readGif(data: string): ImageSize | undefined {
  const bytes = decodeBase64(data, 0, gifFrameBytesMax);
  let [width, height] = [readLittleEndian(bytes, 6), readLittleEndian(bytes, 8)];
  let hasFrame = false;
  let index = 13 + countColorTableBytes(bytes[10] ?? 0);
  while (index < bytes.length) {
    if (bytes[index] === gifExtension) {
      index = findSubBlocksEnd(bytes, index + 2);
    } else if (bytes[index] === gifFrame) {
      hasFrame = true;
      width = Math.max(
        width,
        readLittleEndian(bytes, index + 1) + readLittleEndian(bytes, index + 5),
      );
      height = Math.max(
        height,
        readLittleEndian(bytes, index + 3) + readLittleEndian(bytes, index + 7),
      );
      index = findSubBlocksEnd(bytes, index + 11 + countColorTableBytes(bytes[index + 9] ?? 0));
    } else break;
  }
  return hasFrame ? { width, height } : undefined;
}

const gifExtension = 0x21;
const gifFrame = 0x2c;

function countColorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function findSubBlocksEnd(bytes: Uint8Array, start: number): number {
  let index = start;
  while ((bytes[index] ?? 0) > 0) index += 1 + (bytes[index] ?? 0);
  return index + 1;
}

function readLittleEndian(bytes: Uint8Array, index: number): number {
  return (bytes[index] ?? 0) + (bytes[index + 1] ?? 0) * 256;
}

function readBigEndian(bytes: Uint8Array, index: number): number {
  return (bytes[index] ?? 0) * 256 + (bytes[index + 1] ?? 0);
}

const dataUrlHeadCharactersMax = 256;

export function countBase64Bytes(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

export function decodeBase64(data: string, offset: number, bytesMax: number): Uint8Array {
  const skipped = offset % 3;
  const start = ((offset - skipped) / 3) * 4;
  const text = data.slice(start, start + Math.ceil((skipped + bytesMax) / 3) * 4);
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "stop-before-partial" });
    return bytes.subarray(skipped, skipped + bytesMax);
  } catch {
    return new Uint8Array();
  }
}

export function stripDataUrl(data: string): string {
  if (!data.startsWith("data:")) return data;
  const comma = data.slice(0, dataUrlHeadCharactersMax).indexOf(",");
  return comma === -1 ? data : data.slice(comma + 1);
}
