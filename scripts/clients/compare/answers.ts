import { readAudio } from "#tokens/cost/media/audio.ts";
import { readImageSize } from "#tokens/cost/media/readable-images.ts";
import { countBase64Bytes, stripDataUrl } from "#tokens/cost/media/base64.ts";
import { readBlocks, type MediaPart } from "#tokens/cost/client-profiles/block.ts";
import { pickMedia } from "#tokens/cost/client-profiles/common.ts";
import { estimateMedia } from "#tokens/cost/count-parts.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { AlertRecord, CallRecord } from "#records/record.ts";
import { readArray, readMember, readString } from "#wire/json.ts";
import { get_encoding } from "tiktoken";
import type { ReadPart } from "../apis/api.ts";
import type { Answer } from "../server/answers.ts";

export type ComparedAnswer = Pair & {
  readonly tool: string;
  readonly isCut: boolean;
  readonly isAlerted: boolean;
  readonly isRight: boolean;
  readonly isCompared: boolean;
};

export type Terms = { readonly reader: Reader; readonly hidesImages: boolean };

export type ObservedCall = {
  readonly call: CallRecord;
  readonly answer: Answer;
  readonly parts: readonly ReadPart[];
};

export function compareAnswers(
  observed: readonly ObservedCall[],
  alerts: readonly AlertRecord[],
  { reader, hidesImages }: Terms,
): readonly ComparedAnswer[] {
  const alerted = new Set(alerts.filter(isLimitAlert).map(({ tool }) => tool));
  return observed.map(({ call, answer, parts }) => {
    const result = readMember(answer, "result");
    const hidden = hidesImages ? sumImageTokens(result, reader) : 0;
    const isCompared = hidden === 0 || hidden > call.output_tokens;
    const pair = { read: readTokens(parts, reader), counted: call.output_tokens };
    const cut = isCut(answer, parts);
    const isAlerted = alerted.has(call.tool);
    const isRight = !isCompared || (isClose(pair) && cut === isAlerted);
    return { ...pair, isCompared, tool: call.tool ?? "", isCut: cut, isAlerted, isRight };
  });
}

function isLimitAlert({ alert }: AlertRecord): boolean {
  return alert === "would_truncate" || alert === "would_spill";
}

const shortCharacters = 1_000;

const openingCharacters = 60;

const cutNotice = /too large|exceeds maximum|truncated|saved to/i;

function isCut(answer: Answer, parts: readonly ReadPart[]): boolean {
  const read = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const result = readMember(answer, "result");
  const texts = [
    readString(answer, "error", "message") ?? [],
    readArray(result, "content").flatMap(
      (block) =>
        readString(block, "text") ??
        readString(block, "resource", "text") ??
        readString(block, "description") ??
        [],
    ),
  ].flat();
  const structured = readMember(result, "structuredContent");
  const forms = [texts, structured === undefined ? [] : [JSON.stringify(structured)]];
  const present = forms.filter((form) => form.length > 0);
  const missing = present.filter((form) => !form.every((text) => holds(read, text)));
  const isLong = present.some((form) => form.join("").length > shortCharacters);
  const blobs = readArray(result, "content").flatMap(
    (block) => readString(block, "resource", "blob") ?? readString(block, "data") ?? [],
  );
  if (blobs.some((blob) => !holds(read, blob) && isPart(read, [blob]))) return true;
  return (
    isLong &&
    ((missing.length === present.length && cutNotice.test(read)) ||
      missing.some((form) => isPart(read, form)))
  );
}

function isPart(read: string, form: readonly string[]): boolean {
  const text = form.join("");
  return text.length > shortCharacters && holds(read, text.slice(0, openingCharacters));
}

function holds(read: string, text: string): boolean {
  if (read.includes(text) || read.includes(JSON.stringify(text).slice(1, -1))) return true;
  return withoutIndents(read).includes(withoutIndents(text));
}

function sumImageTokens(result: unknown, reader: Reader): number {
  if (readMember(result, "isError") === true) return 0;
  const images = readBlocks(readArray(result, "content"), false).flatMap(({ parts }) =>
    pickMedia(parts),
  );
  return images.reduce(
    (sum, part) => sum + (part.kind === "image" ? countImageTokens(part, reader) : 0),
    0,
  );
}

function withoutIndents(text: string): string {
  return text.replaceAll(/\n +/g, "\n");
}

function readTokens(parts: readonly ReadPart[], reader: Reader): number {
  return parts.reduce((sum, part) => sum + countPartTokens(part, reader), 0);
}

function countPartTokens(part: ReadPart, reader: Reader): number {
  if (part.kind === "text") return countTokens(part.text);
  const medium = readMedium(part);
  return part.kind === "image"
    ? countImageTokens(medium, reader)
    : estimateMedia(medium, reader).tokens;
}

function countImageTokens(part: MediaPart, reader: Reader): number {
  return part.kind === "image" && part.size ? estimateMedia(part, reader).tokens : 0;
}

function readMedium({ kind, data }: Exclude<ReadPart, { kind: "text" }>): MediaPart {
  const bytes = countBase64Bytes(stripDataUrl(data));
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
