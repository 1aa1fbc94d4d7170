import { attempt } from "#kit/errors.ts";
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { decodeBase64, stripDataUrl } from "./base64.ts";

const imageHeaderBytesMax = 64;

// EXIF, XMP, a colour profile and a preview index may precede the frame header. Each usually has at most 64 KiB.
const jpegHeaderBytesMax = 256 * 1024;

// In a GIF, a colour table and comments may precede the first frame.
const gifReadBytesMax = 64 * 1024;

// A large colour profile is split into up to 255 segments.
const jpegSegmentsMax = 512;

export type ImageSize = { readonly width: number; readonly height: number };

const formatsWithSizeInHead = [PNG, WEBP];

// Includes "", because blocks need not name a type. Other types, such as SVG, are unreadable.
const readableTypes = new Set(["", "image/png", "image/jpeg", "image/gif", "image/webp"]);

export function isReadableType(mimeType: string): boolean {
  return readableTypes.has(mimeType);
}

export function isReadableImage(mimeType: string, rawData: string): boolean {
  if (!isReadableType(mimeType)) return false;
  const head = decodeBase64(stripDataUrl(rawData), 0, imageHeaderBytesMax);
  return (
    head.length >= 10 &&
    [JPG, GIF, ...formatsWithSizeInHead].some((format) => hasSignature(format, head))
  );
}

function hasSignature(format: typeof PNG, head: Uint8Array): boolean {
  return attempt(() => format.validate(head), false);
}

export function readImageSize(rawData: string): ImageSize | undefined {
  const data = stripDataUrl(rawData);
  const head = decodeBase64(data, 0, imageHeaderBytesMax);
  return attempt(() => {
    if (head.length >= 4 && JPG.validate(head)) return checkSize(readJpeg(data));
    if (head.length >= 10 && GIF.validate(head)) return checkSize(readGif(data));
    return checkSize(
      formatsWithSizeInHead.find((format) => format.validate(head))?.calculate(head),
    );
  });
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

// Some decoders enlarge the image to fit its frames, so the size covers all frames in `bytes`.
function readGif(data: string): ImageSize | undefined {
  const bytes = decodeBase64(data, 0, gifReadBytesMax);
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
