import { countBase64Bytes, decodeBase64, stripDataUrl } from "./base64.ts";
import type { MediaEstimate } from "../estimator.ts";

// Ample for the chunks before the samples of a WAV.
const audioHeaderBytesMax = 4_096;

export type Audio = {
  readonly seconds: number | undefined;
  readonly bytes: number;
  readonly boundSeconds?: () => number; // the longest possible duration, if `seconds` is an estimate
};

// Gemini's rate, for models without a published rate.
const typicalTokensPerSecond = 32;

// An MP3 of 128 kbit/s.
const typicalBytesPerSecond = 16_000;

// The lowest rate of Opus, 6 kbit/s.
const lowestBytesPerSecond = 750;

export function readAudio(rawData: string): Audio {
  const data = stripDataUrl(rawData);
  const bytes = countBase64Bytes(data);
  const head = decodeBase64(data, 0, audioHeaderBytesMax);
  const isWav = startsWith(head, "RIFF", 0);
  const seconds = isWav ? measureWav(head, bytes) : measureMp3(data, head, bytes);
  const isKnown = seconds !== undefined && Number.isFinite(seconds) && seconds > 0;
  if (!isKnown) return { seconds: undefined, bytes };
  return isWav ? { seconds, bytes } : { seconds, bytes, boundSeconds: () => boundMp3Seconds(data) };
}

export function estimateAudio(tokensPerSecond: number | undefined, audio: Audio): MediaEstimate {
  const seconds = audio.seconds ?? audio.bytes / typicalBytesPerSecond;
  const isKnown = audio.seconds !== undefined && tokensPerSecond !== undefined;
  return {
    tokens: Math.ceil(seconds * (tokensPerSecond ?? typicalTokensPerSecond)),
    confidence: isKnown ? "medium" : "low",
  };
}

export function boundAudio(tokensPerSecond: number | undefined, audio: Audio): number {
  const seconds = audio.boundSeconds?.() ?? audio.seconds ?? audio.bytes / lowestBytesPerSecond;
  return Math.ceil(seconds * (tokensPerSecond ?? typicalTokensPerSecond));
}

// Compares the stated size with the bytes present: a program that does not know the size writes 0 or 0xffffffff.
function measureWav(head: Uint8Array, bytes: number): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  let bytesPerSecond: number | undefined;
  let index = 12;
  while (index + 8 <= head.length) {
    const size = view.getUint32(index + 4, true);
    if (startsWith(head, "fmt ", index) && index + 20 <= head.length) {
      bytesPerSecond = readWavRate(view, index + 8);
    }
    if (startsWith(head, "data", index)) {
      if (bytesPerSecond === undefined) return undefined;
      const remainingBytes = Math.max(0, bytes - index - 8);
      // The chunks after the samples are short, so a size below half of the remaining bytes is wrong.
      const isWrong = size < remainingBytes - size;
      return (isWrong ? remainingBytes : Math.min(size, remainingBytes)) / bytesPerSecond;
    }
    index += 8 + size + (size % 2);
  }
  return undefined;
}

const wavBytesPerSecondMax = 192_000 * 8 * 4;

// PCM, float, and extensible (the actual format is in a later field). Other formats are compressed, at unknown rates.
const plainFormats: ReadonlySet<number> = new Set([1, 3, 0xff_fe]);

function readWavRate(view: DataView, start: number): number | undefined {
  if (start + 16 > view.byteLength || !plainFormats.has(view.getUint16(start, true)))
    return undefined;
  const samplesPerSecond = view.getUint32(start + 4, true);
  const computedFrameBytes =
    view.getUint16(start + 2, true) * Math.ceil(view.getUint16(start + 14, true) / 8);
  const statedFrameBytes = view.getUint16(start + 12, true);
  const rates = [
    view.getUint32(start + 8, true),
    samplesPerSecond * statedFrameBytes,
    samplesPerSecond * computedFrameBytes,
  ];
  const lowest = Math.min(...rates.filter((rate) => rate > 0));
  return lowest <= wavBytesPerSecondMax ? lowest : undefined;
}

// The lowest bit rate of an MP3, 8 kbit/s.
const lowestMp3BytesPerSecond = 1_000;

// Reads every frame, because bit rates vary. Any bytes after the last frame are counted at the lowest rate.
function boundMp3Seconds(data: string): number {
  const bytes = decodeBase64(data, 0, data.length);
  let index = startsWith(bytes, "ID3", 0) ? findId3End(bytes) : 0;
  let seconds = 0;
  for (;;) {
    const frame = readMp3Frame(bytes, index);
    if (!frame || index + frame.bytes > bytes.length) break;
    seconds += frame.seconds;
    index += frame.bytes;
  }
  return seconds + Math.max(0, bytes.length - index) / lowestMp3BytesPerSecond;
}

const mpeg1SampleRates = [44_100, 48_000, 32_000];

function readMp3Frame(
  bytes: Uint8Array,
  index: number,
): { readonly bytes: number; readonly seconds: number } | undefined {
  const header = bytes.subarray(index, index + 4);
  const bitRate = header.length === 4 ? readMp3BitRate(header) : undefined;
  const [, version = 0, rateByte = 0] = header;
  const rate = mpeg1SampleRates[(rateByte >> 2) & 3];
  if (bitRate === undefined || rate === undefined) return undefined;
  const isMpeg1 = (version & 0x18) === 0x18;
  const samplesPerSecond = isMpeg1 ? rate : (version & 0x18) === 0x10 ? rate / 2 : rate / 4;
  const samples = isMpeg1 ? 1152 : 576;
  const padding = (rateByte >> 1) & 1;
  const length = Math.floor(((samples / 8) * bitRate) / samplesPerSecond) + padding;
  return { bytes: length, seconds: samples / samplesPerSecond };
}

// Assumes that all frames have the bit rate of the first.
function measureMp3(data: string, head: Uint8Array, bytes: number): number | undefined {
  const start = startsWith(head, "ID3", 0) ? findId3End(head) : 0;
  const frame = start === 0 ? head : decodeBase64(data, start, 4);
  const bitsPerSecond = readMp3BitRate(frame);
  return bitsPerSecond === undefined ? undefined : ((bytes - start) * 8) / bitsPerSecond;
}

// ID3v2 stores its length in four bytes of seven bits.
function findId3End(head: Uint8Array): number {
  return 10 + [6, 7, 8, 9].reduce((size, index) => size * 128 + ((head[index] ?? 0) & 0x7f), 0);
}

const mpeg1KiloBits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mpeg2KiloBits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

function readMp3BitRate(frame: Uint8Array): number | undefined {
  const [sync = 0, version = 0, rate = 0] = frame;
  const isLayer3 = sync === 0xff && (version & 0xe6) === 0xe2;
  if (!isLayer3) return undefined;
  const table = (version & 0x18) === 0x18 ? mpeg1KiloBits : mpeg2KiloBits;
  const kiloBits = table[rate >> 4] ?? 0;
  return kiloBits === 0 ? undefined : kiloBits * 1000;
}

function startsWith(bytes: Uint8Array, text: string, index: number): boolean {
  return Array.from(text).every((letter, offset) => bytes[index + offset] === letter.charCodeAt(0));
}
