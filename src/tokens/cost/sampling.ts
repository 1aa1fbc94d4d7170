import { arrayAt, compactJson, isObject, memberAt, textAt, withoutMeta } from "#wire/json.ts";
import { readAudio } from "./media/audio.ts";
import { base64Bytes, withoutDataUrl, readImageSize } from "./media/image.ts";
import type { MediaPart } from "./part.ts";

type SampledInput = {
  readonly input: readonly string[];
  readonly media: readonly MediaPart[];
};

export function describeSampling(params: unknown): SampledInput {
  const blocks = listMessageBlocks(params).flatMap(expandInnerBlocks);
  const media = blocks.map(readMedia);
  return {
    input: [
      textAt(params, "systemPrompt") ?? "",
      ...blocks.filter((_, at) => media[at] === undefined).map(readBlockText),
    ],
    media: media.filter((found) => found !== undefined),
  };
}

export function listMessageBlocks(value: unknown): readonly unknown[] {
  return arrayAt(value, "messages").flatMap((message) => toBlocks(memberAt(message, "content")));
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
  const data = textAt(block, "data");
  if (data === undefined) return undefined;
  const type = textAt(block, "type");
  if (type === "audio") return { kind: "audio", ...readAudio(data) };
  if (type !== "image") return undefined;
  return { kind: "image", size: readImageSize(data), bytes: base64Bytes(withoutDataUrl(data)) };
}

function readBlockText(block: unknown): string {
  return textAt(block, "text") ?? textAt(block, "mimeType") ?? compactJson(withoutMeta(block));
}
