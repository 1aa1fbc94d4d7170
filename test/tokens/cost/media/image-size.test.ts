import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { isReadableImage, readImageSize } from "#tokens/cost/media/readable-images.ts";
import { cpuMs } from "../../../support/measure.ts";

const ascii = (text: string): number[] => Array.from(Buffer.from(text, "latin1"));
const u16 = (value: number): number[] => [value >> 8, value & 255];
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
const segment = (marker: number, bytes: number): number[] => [
  0xff,
  marker,
  ...u16(bytes + 2),
  ...Array.from({ length: bytes }, () => 0),
];
const frame = (marker: number, width: number, height: number): number[] => [
  0xff,
  marker,
  ...u16(17),
  8,
  ...u16(height),
  ...u16(width),
  3,
];
const jpeg = (...parts: number[][]): number[] => [0xff, 0xd8, ...parts.flat()];
const exif = segment(0xe1, 65_000);

const images: readonly (readonly [string, number[], string | undefined])[] = [
  [
    "PNG",
    [0x89, ...ascii("PNG\r\n\x1a\n"), ...u32(13), ...ascii("IHDR"), ...u32(640), ...u32(480)],
    "640×480",
  ],
  ["GIF", [...ascii("GIF89a"), 0x80, 0x02, 0xe0, 0x01, 0, 0, 0, 0x2c], "640×480"],
  ["GIF without a frame", [...ascii("GIF89a"), 0x80, 0x02, 0xe0, 0x01, 0, 0, 0, 0x3b], undefined],
  [
    "GIF with a frame beyond its screen",
    [
      ...ascii("GIF89a"),
      16,
      0,
      16,
      0,
      0x80,
      0,
      0,
      ...Array.from({ length: 6 }, () => 0),
      0x21,
      0xfe,
      2,
      65,
      65,
      0,
      0x2c,
      0x40,
      0,
      0x40,
      0,
      0x40,
      2,
      0xa0,
      1,
      0,
      2,
      1,
      0,
      0,
      0x3b,
    ],
    "640×480",
  ],
  [
    "JPEG with fill bytes",
    jpeg([0xff, 0xff], segment(0xe0, 14), [0xff], frame(0xc0, 640, 480)),
    "640×480",
  ],
  [
    "WebP VP8X",
    [...ascii("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0"), 0x7f, 2, 0, 0xdf, 1, 0],
    "640×480",
  ],
  [
    "WebP VP8L",
    [...ascii("RIFF\0\0\0\0WEBPVP8L\0\0\0\0"), 0x2f, 0x7f, 0xc2, 0x77, 0, 0, 0, 0, 0, 0],
    "640×480",
  ],
  [
    "WebP VP8",
    [...ascii("RIFF\0\0\0\0WEBPVP8 \0\0\0\0"), 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1],
    "640×480",
  ],
  ["JPEG, baseline", jpeg(segment(0xe0, 14), frame(0xc0, 640, 480)), "640×480"],
  ["JPEG, progressive", jpeg(segment(0xe0, 14), frame(0xc2, 640, 480)), "640×480"],
  ["JPEG, frame behind 195 kB of EXIF", jpeg(exif, exif, exif, frame(0xc0, 640, 480)), "640×480"],
  [
    "JPEG, frame beyond the bound",
    jpeg(exif, exif, exif, exif, exif, frame(0xc0, 640, 480)),
    undefined,
  ],
  [
    "JPEG, too many segments",
    jpeg(...Array.from({ length: 600 }, () => segment(0xee, 1)), frame(0xc0, 640, 480)),
    undefined,
  ],
  ["JPEG, cut", jpeg(segment(0xe0, 14)), undefined],
  ["JPEG, broken chain", jpeg([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), undefined],
  [
    "PNG of no pixels",
    [0x89, ...ascii("PNG\r\n\x1a\n"), ...u32(13), ...ascii("IHDR"), ...u32(0), ...u32(480)],
    undefined,
  ],
  ["PNG, cut", [0x89, ...ascii("PNG\r\n\x1a\n")], undefined],
  ["SVG, which models do not take", ascii('<svg width="9" height="9"></svg>'), undefined],
  ["nothing", [], undefined],
];

const base64 = (bytes: readonly number[]): string => Buffer.from(bytes).toString("base64");

describe("readImageSize", () => {
  test.each(images)("%s", (_name, bytes, expected) => {
    expect(shown(readImageSize(base64(bytes)))).toBe(expected);
  });

  test("the same of a data: URL and of base64 with line breaks", () => {
    const png = base64(images[0]?.[1] ?? []);
    expect(shown(readImageSize(`data:image/png;base64,${png}`))).toBe("640×480");
    expect(shown(readImageSize(`${png.slice(0, 7)}\r\n${png.slice(7)}`))).toBe("640×480");
  });

  test.each(["not base64 !", "=", "data:,", "\ud800", "A", "////"])("%j has none", (data) => {
    expect(readImageSize(data)).toBeUndefined();
  });

  test("any bytes behind any magic give a size of whole pixels or none", () => {
    const magic = fc.constantFrom(...images.map(([, bytes]) => bytes.slice(0, 16)));
    const tail = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(magic, tail, (head, body) => {
        const data = base64([...head, ...body]);
        const size = readImageSize(data);
        // The library once threw for a PNG signature without a header, which ended all budgets.
        expect(isReadableImage("", data)).toBeBoolean();
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("the time does not depend on what follows the header", async () => {
    const zeros = base64(jpeg(Array.from({ length: 2_000_000 }, () => 0)));
    const spent = await cpuMs(() => {
      for (let run = 0; run < 20; run += 1) expect(readImageSize(zeros)).toBeUndefined();
    });
    expect(spent).toBeLessThan(500);
  });
});

function shown(size: { width: number; height: number } | undefined): string | undefined {
  return size && `${size.width}×${size.height}`;
}
