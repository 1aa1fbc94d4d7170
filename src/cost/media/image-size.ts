import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { imageHeaderBytesMax, jpegHeaderBytesMax, jpegSegmentsMax } from "#limits/content.ts";
import { decodeBase64, withoutDataUrl } from "./base64.ts";

/** Width and height in pixels. */
export type ImageSize = { readonly width: number; readonly height: number };

/** The formats that models accept, besides JPEG; any other is not shown to a model as an image. */
const formats = [PNG, WEBP, GIF];

/** Size of a PNG, JPEG, GIF or WebP from the first bytes of its base64; undefined when it cannot be read. */
export function readImageSize(rawData: string): ImageSize | undefined {
  const data = withoutDataUrl(rawData);
  const head = decodeBase64(data, 0, imageHeaderBytesMax);
  try {
    if (head.length >= 4 && JPG.validate(head)) return positiveSize(readJpeg(data));
    return positiveSize(formats.find((format) => format.validate(head))?.calculate(head));
  } catch {
    return undefined;
  }
}

function positiveSize(found: ImageSize | undefined): ImageSize | undefined {
  if (found === undefined || !(found.width > 0 && found.height > 0)) return undefined;
  return { width: found.width, height: found.height };
}

function readJpeg(data: string): ImageSize | undefined {
  const bytes = decodeBase64(data, 0, jpegHeaderBytesMax);
  const end = jpegFrameEnd(bytes);
  return end === undefined ? undefined : JPG.calculate(bytes.subarray(0, end));
}

/** End of the frame header. Following the chain of segments first avoids a search of broken ones byte by byte. */
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
