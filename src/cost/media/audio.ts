import { audioHeaderBytesMax } from "#limits/content.ts";
import { base64Bytes, decodeBase64, withoutDataUrl } from "./base64.ts";
import type { Confidence } from "../estimation.ts";

/** A sound by its header; `seconds` is undefined where the duration is only known after decoding. */
export type Audio = { readonly seconds: number | undefined; readonly bytes: number };

/** Tokens of one second for models whose maker does not publish a price: the price of Gemini. */
const usualTokensPerSecond = 32;

/** Bytes assumed of one second where the duration is not known: 128 kbit/s, the usual MP3. */
const usualBytesPerSecond = 16_000;

/** Reads the duration of WAV and MP3 from the first bytes of the base64. Never throws. */
export function readAudio(rawData: string): Audio {
  const data = withoutDataUrl(rawData);
  const bytes = base64Bytes(data);
  const head = decodeBase64(data, 0, audioHeaderBytesMax);
  const seconds = startsWith(head, "RIFF", 0)
    ? wavSeconds(head, bytes)
    : mp3Seconds(data, head, bytes);
  const isKnown = seconds !== undefined && Number.isFinite(seconds) && seconds > 0;
  return { seconds: isKnown ? seconds : undefined, bytes };
}

/** Tokens of a sound; `tokensPerSecond` is undefined where the maker of the model does not publish it. */
export function audioTokens(
  tokensPerSecond: number | undefined,
  audio: Audio,
): { readonly tokens: number; readonly confidence: Confidence } {
  const seconds = audio.seconds ?? audio.bytes / usualBytesPerSecond;
  const isKnown = audio.seconds !== undefined && tokensPerSecond !== undefined;
  return {
    tokens: Math.ceil(seconds * (tokensPerSecond ?? usualTokensPerSecond)),
    confidence: isKnown ? "medium" : "low",
  };
}

/** Bytes of samples / bytes per second. A writer that did not know the length leaves 0 or all ones in its place. */
function wavSeconds(head: Uint8Array, bytes: number): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  let bytesPerSecond = 0;
  let index = 12;
  while (index + 8 <= head.length) {
    const size = view.getUint32(index + 4, true);
    if (startsWith(head, "fmt ", index) && index + 20 <= head.length) {
      bytesPerSecond = view.getUint32(index + 16, true);
    }
    if (startsWith(head, "data", index)) {
      if (bytesPerSecond === 0) return undefined;
      const samples = Math.max(0, bytes - index - 8);
      return (size === 0 ? samples : Math.min(size, samples)) / bytesPerSecond;
    }
    index += 8 + size + (size % 2);
  }
  return undefined;
}

/** Bytes / bit rate of the first frame; inexact for a variable bit rate. */
function mp3Seconds(data: string, head: Uint8Array, bytes: number): number | undefined {
  const start = startsWith(head, "ID3", 0) ? id3End(head) : 0;
  const frame = start === 0 ? head : decodeBase64(data, start, 4);
  const bitsPerSecond = mp3BitRate(frame);
  return bitsPerSecond === undefined ? undefined : ((bytes - start) * 8) / bitsPerSecond;
}

/** End of an ID3v2 tag, whose length is in four bytes of seven bits. */
function id3End(head: Uint8Array): number {
  return 10 + [6, 7, 8, 9].reduce((size, index) => size * 128 + ((head[index] ?? 0) & 0x7f), 0);
}

/** Bit rates of layer III in kbit/s by the four bits of the frame header, for MPEG 1 and for MPEG 2 and 2.5. */
const mpeg1KiloBits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mpeg2KiloBits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

function mp3BitRate(frame: Uint8Array): number | undefined {
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
