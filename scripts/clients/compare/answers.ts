import { readAudio } from "#cost/media/audio.ts";
import { base64Bytes, withoutDataUrl } from "#cost/media/base64.ts";
import { readImageSize } from "#cost/media/image-size.ts";
import type { MediaPart } from "#cost/part.ts";
import { mediaTokens } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import type { AlertRecord, CallRecord } from "#records/record.ts";
import { arrayAt, memberAt, textAt } from "#wire/json.ts";
import { get_encoding } from "tiktoken";
import type { ReadPart } from "../apis/api.ts";

export type ComparedAnswer = Pair & {
  readonly tool: string;
  readonly isCut: boolean;
  readonly isAlerted: boolean;
  readonly isRight: boolean;
};

export type ObservedCall = {
  readonly call: CallRecord;
  readonly result: unknown;
  readonly parts: readonly ReadPart[];
};

/** Compares each call with its record. `alerts` are all of the session. */
export function compareAnswers(
  observed: readonly ObservedCall[],
  alerts: readonly AlertRecord[],
  reader: Reader,
): readonly ComparedAnswer[] {
  const alerted = new Set(alerts.filter(isOfLimit).map(({ tool }) => tool));
  return observed.map(({ call, result, parts }) => {
    const pair = { read: readTokens(parts, reader), counted: call.output_tokens };
    const cut = isCut(result, parts);
    const isAlerted = alerted.has(call.tool);
    const isRight = isClose(pair) && cut === isAlerted;
    return { ...pair, tool: call.tool ?? "", isCut: cut, isAlerted, isRight };
  });
}

function isOfLimit({ alert }: AlertRecord): boolean {
  return alert === "would_truncate" || alert === "would_spill";
}

/** Characters up to which no client shortens an answer: what differs there is a frame. */
const shortCharacters = 1_000;

const beginCharacters = 60;

function isCut(result: unknown, parts: readonly ReadPart[]): boolean {
  const read = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const texts = arrayAt(result, "content").flatMap((block) => textAt(block, "text") ?? []);
  const structured = memberAt(result, "structuredContent");
  const halves = [texts, structured === undefined ? [] : [JSON.stringify(structured)]];
  const present = halves.filter((half) => half.length > 0);
  const missing = present.filter((half) => !half.every((text) => holds(read, text)));
  const isLong = present.some((half) => half.join("").length > shortCharacters);
  return (
    isLong && (missing.length === present.length || missing.some((half) => isPart(read, half)))
  );
}

function isPart(read: string, half: readonly string[]): boolean {
  const text = half.join("");
  return text.length > shortCharacters && holds(read, text.slice(0, beginCharacters));
}

function holds(read: string, text: string): boolean {
  return read.includes(text) || read.includes(JSON.stringify(text).slice(1, -1));
}

function readTokens(parts: readonly ReadPart[], reader: Reader): number {
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

const vocabulary = get_encoding("o200k_base");

export function countTokens(text: string): number {
  return vocabulary.encode_ordinary(text).length;
}

export type Pair = { readonly read: number; readonly counted: number };

export function isClose({ read, counted }: Pair): boolean {
  return Math.abs(counted - read) <= Math.max(5, read * 0.05);
}
