import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { estimateAudio, boundAudio, readAudio } from "#tokens/cost/media/audio.ts";

const ascii = (text: string): number[] => Array.from(Buffer.from(text, "latin1"));
const u32 = (value: number): number[] =>
  [24, 16, 8, 0].map((by) => (value >>> by) & 255).toReversed();
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const base64 = (bytes: readonly number[]): string => Buffer.from(bytes).toString("base64");

const riff = [...ascii("RIFF"), ...u32(0), ...ascii("WAVE")];
// One 8-bit channel at 1 kHz.
const kind = (tag: number): number[] => [...ascii("fmt "), ...u32(16), tag, 0, 1, 0];
const format = [...kind(1), ...u32(1000), ...u32(1000), 1, 0, 8, 0];
const samples = (size: number, real: number): number[] => [
  ...ascii("data"),
  ...u32(size),
  ...zeros(real),
];
// MPEG 1 Layer III, 128 kbit/s.
const mp3Frame = [0xff, 0xfb, 0x90, 0x00];
const id3 = (bytes: number): number[] => [
  ...ascii("ID3"),
  ...zeros(3),
  0,
  0,
  bytes >> 7,
  bytes & 127,
  ...zeros(bytes),
];

// Two 16-bit channels at 8 kHz, with a different byte rate.
const lying = (rate: number): number[] => [
  ...ascii("fmt "),
  ...u32(16),
  1,
  0,
  2,
  0,
  ...u32(8_000),
  ...u32(rate),
  4,
  0,
  16,
  0,
];

const sounds: readonly (readonly [string, number[], number | undefined])[] = [
  ["WAV", [...riff, ...format, ...samples(2000, 2000)], 2],
  [
    "WAV with another chunk first",
    [...riff, ...ascii("LIST"), ...u32(3), ...zeros(4), ...format, ...samples(500, 500)],
    0.5,
  ],
  ["WAV of unknown length", [...riff, ...format, ...samples(0xffffffff, 3000)], 3],
  ["WAV that never said its length", [...riff, ...format, ...samples(0, 3000)], 3],
  [
    "WAV with a byte rate that is too high",
    [...riff, ...lying(0xffffffff), ...samples(0, 64_000)],
    2,
  ],
  [
    "WAV with an impossible rate",
    [...riff, ...lying(0xffffffff).with(15, 255), ...samples(9, 9)],
    undefined,
  ],
  ["WAV with more samples than it says", [...riff, ...lying(32_000), ...samples(9, 64_000)], 2],
  [
    "WAV with a frame that is too large",
    [...riff, ...kind(1), ...u32(1000), ...u32(0xffffffff), 0, 4, 8, 0, ...samples(0, 2000)],
    2,
  ],
  [
    "WAV with compressed samples",
    [...riff, ...kind(0x55), ...u32(1000), ...u32(1000), 1, 0, 8, 0, ...samples(0, 2000)],
    undefined,
  ],
  ["WAV without format", [...riff, ...samples(2000, 2000)], undefined],
  ["WAV without samples", [...riff, ...format], undefined],
  ["WAV, cut", riff, undefined],
  ["MP3", [...mp3Frame, ...zeros(31_996)], 2],
  ["MP3 behind a tag", [...id3(8_000), ...mp3Frame, ...zeros(15_996)], 1],
  ["MP3 behind a tag that lies", id3(100).slice(0, 12), undefined],
  ["MPEG 2, 64 kbit/s", [0xff, 0xf3, 0x80, 0x00, ...zeros(7_996)], 1],
  ["MP3 with a free bit rate", [0xff, 0xfb, 0x00, 0x00], undefined],
  ["Ogg", [...ascii("OggS"), ...zeros(100)], undefined],
  ["nothing", [], undefined],
];

describe("readAudio", () => {
  test.each(sounds)("%s", (_name, bytes, seconds) => {
    expect(readAudio(base64(bytes))).toMatchObject({ seconds, bytes: bytes.length });
  });

  test("any text and any bytes behind any header are a positive duration or none", () => {
    const head = fc.constantFrom(...sounds.map(([, bytes]) => bytes.slice(0, 48)));
    const bytes = fc.tuple(head, fc.uint8Array()).map(([start, end]) => base64([...start, ...end]));
    fc.assert(
      fc.property(fc.oneof(fc.string(), bytes), (data) => {
        const { seconds, bytes: length } = readAudio(data);
        expect(seconds === undefined || (seconds > 0 && Number.isFinite(seconds))).toBe(true);
        expect(length).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  ["a known price and duration", 32, { seconds: 1.5, bytes: 9 }, 48, "medium"],
  ["a known duration alone", undefined, { seconds: 1.5, bytes: 9 }, 48, "low"],
  ["bytes alone", 32, { seconds: undefined, bytes: 24_000 }, 48, "low"],
  ["nothing", 32, { seconds: undefined, bytes: 0 }, 0, "low"],
] as const)("priceAudio: %s", (_name, tokensPerSecond, audio, tokens, confidence) => {
  expect(estimateAudio(tokensPerSecond, audio)).toEqual({ tokens, confidence });
});

const most = (bytes: readonly number[]): number => boundAudio(32, readAudio(base64(bytes)));

describe("boundAudioPrice", () => {
  test("of a sound that cannot be read is that of the lowest rate", () => {
    expect(most([...ascii("OggS"), ...zeros(7_496)])).toBe(320);
  });

  test("of an MP3 counts each frame, and bytes behind them at the lowest rate", () => {
    // MPEG 1 at 44.1 kHz, 1,152 samples per frame: 417 bytes at 128 kbit/s, 104 bytes at 32 kbit/s.
    const long = [...mp3Frame, ...zeros(413)];
    const short = [0xff, 0xfb, 0x10, 0x00, ...zeros(100)];
    const frames = [...long, ...Array.from({ length: 99 }, () => short).flat()];
    expect(most(frames)).toBe(Math.ceil((100 * 1152 * 32) / 44_100));
    expect(most([...mp3Frame, ...zeros(31_996)])).toBe(Math.ceil((1152 / 44_100 + 31.583) * 32));
  });
});
