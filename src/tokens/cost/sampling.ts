import {
  readArray,
  stringifyCompact,
  isObject,
  readMember,
  readString,
  removeMeta,
} from "#wire/json.ts";
import { readAudio } from "./media/audio.ts";
import { readImageSize } from "./media/readable-images.ts";
import { countBase64Bytes, stripDataUrl } from "./media/base64.ts";
import type { MediaPart } from "./client-profiles/block.ts";

type SampledInput = {
  readonly input: readonly string[];
  readonly media: readonly MediaPart[];
};

export function describeSampling(params: unknown): SampledInput {
  const blocks = listMessageBlocks(params).flatMap(expandInnerBlocks);
  const media = blocks.map(readMedia);
  return {
    input: [
      readString(params, "systemPrompt") ?? "",
      ...blocks.filter((_, at) => media[at] === undefined).map(readBlockText),
    ],
    media: media.filter((found) => found !== undefined),
  };
}

export function listMessageBlocks(value: unknown): readonly unknown[] {
  return readArray(value, "messages").flatMap((message) =>
    toBlocks(readMember(message, "content")),
  );
}

export function toBlocks(content: unknown): readonly unknown[] {
  if (content === undefined) return [];
  return Array.isArray(content) ? content : [content];
}

function expandInnerBlocks(block: unknown): readonly unknown[] {
  if (!isObject(block) || !Array.isArray(block["content"])) return [block];
  const { content, ...rest } = block;
  return [rest, ...content];
}

function readMedia(block: unknown): MediaPart | undefined {
  const data = readString(block, "data");
  if (data === undefined) return undefined;
  const type = readString(block, "type");
  if (type === "audio") return { kind: "audio", ...readAudio(data) };
  if (type !== "image") return undefined;
  return { kind: "image", size: readImageSize(data), bytes: countBase64Bytes(stripDataUrl(data)) };
}

function readBlockText(block: unknown): string {
  return (
    readString(block, "text") ??
    readString(block, "mimeType") ??
    stringifyCompact(removeMeta(block))
  );
}
