import { stringifyCompact, readMember, readArray, readString, isObject } from "#wire/json.ts";
import {
  type ImageSize,
  isReadableImage,
  isReadableType,
  readImageSize,
} from "../media/readable-images.ts";
import { countBase64Bytes, stripDataUrl } from "../media/base64.ts";
import { isForUser } from "../answer-overhead/overhead.ts";
import { type Audio, readAudio } from "../media/audio.ts";

export type BlockKind = (typeof blockKinds)[number];

export const blockKinds = [
  "text",
  "image",
  "unreadable-image", // models do not accept its type or its data
  "audio",
  "link",
  "resource-text",
  "resource-image",
  "resource-blob",
  "unknown",
] as const;

// Getters read members only on demand: most blocks are text blocks, and few clients need more than the text.
// `resourcesAsJson`: the client shows links and resources as the JSON of their block, base64 included.
export class Block {
  readonly raw: unknown;
  readonly kind: BlockKind;
  readonly parts: readonly Part[];

  constructor(raw: unknown, resourcesAsJson: boolean) {
    this.raw = raw;
    this.kind = detectKind(raw);
    this.parts = listBlockParts(raw, resourcesAsJson);
  }

  get text(): string {
    return this.#readContent("text");
  }

  get name(): string {
    return readString(this.raw, "name") ?? "";
  }

  get title(): string {
    return readString(this.raw, "title") ?? "";
  }

  get uri(): string {
    return this.#readContent("uri");
  }

  get description(): string {
    return readString(this.raw, "description") ?? "";
  }

  get mimeType(): string {
    return this.#readContent("mimeType");
  }

  get data(): string {
    return this.#readContent(this.#isResource ? "blob" : "data");
  }

  get bytes(): number {
    return countBase64Bytes(stripDataUrl(this.data));
  }

  // The block names a readable image type, but its data is not a readable image.
  get isBroken(): boolean {
    const isImage = this.kind === "unreadable-image" || this.kind === "resource-blob";
    return isImage && this.mimeType !== "" && isReadableType(this.mimeType);
  }

  get isForUser(): boolean {
    return isForUser(this.raw);
  }

  json(): string {
    return stringifyCompact(this.raw);
  }

  get #isResource(): boolean {
    return this.kind.startsWith("resource");
  }

  #readContent(name: string): string {
    const text = this.#isResource
      ? readString(this.raw, "resource", name)
      : readString(this.raw, name);
    return text ?? "";
  }
}

export function readBlocks(
  rawBlocks: readonly unknown[],
  resourcesAsJson: boolean,
): readonly Block[] {
  return rawBlocks.map((raw) => new Block(raw, resourcesAsJson));
}

function detectKind(raw: unknown): BlockKind {
  const hasData = readString(raw, "data") !== undefined;
  switch (readString(raw, "type")) {
    case "text":
      return "text";
    case "image":
      if (!hasData) return "unknown";
      return hasReadableImage(raw, "data") ? "image" : "unreadable-image";
    case "audio":
      return hasData ? "audio" : "unknown";
    case "resource_link":
      return "link";
    case "resource":
      return detectResourceKind(raw);
    default:
      return "unknown";
  }
}

function detectResourceKind(raw: unknown): BlockKind {
  if (readString(raw, "resource", "text") !== undefined) return "resource-text";
  if (readString(raw, "resource", "blob") === undefined) return "unknown";
  const resource = readMember(raw, "resource");
  const isTyped = readString(resource, "mimeType") !== undefined;
  return isTyped && hasReadableImage(resource, "blob") ? "resource-image" : "resource-blob";
}

function hasReadableImage(raw: unknown, member: "data" | "blob"): boolean {
  return isReadableImage(readString(raw, "mimeType") ?? "", readString(raw, member) ?? "");
}

// `block` is the content block from which the part was made. A part made from structured content has no block.
export type Part =
  | TextPart
  | {
      readonly kind: "image";
      readonly size: ImageSize | undefined;
      readonly bytes: number;
      readonly block?: unknown;
    }
  | ({ readonly kind: "audio"; readonly block?: unknown } & Audio);

export type MediaPart = Exclude<Part, TextPart>;

export type TextPart = { readonly kind: "text"; readonly text: string; readonly block?: unknown };

export function listContentParts(
  rawBlocks: readonly unknown[],
  resourcesAsJson: boolean,
): readonly Part[] {
  return rawBlocks.flatMap((block) => listBlockParts(block, resourcesAsJson));
}

export function listReadResourceParts(
  rawContents: readonly unknown[],
  resourcesAsJson: boolean,
): readonly Part[] {
  return rawContents.flatMap((resource) =>
    listResourceParts({ type: "resource", resource }, resourcesAsJson),
  );
}

export function makeJsonPart(value: unknown, block?: unknown): TextPart {
  const text = stringifyCompact(value);
  return block === undefined ? { kind: "text", text } : { kind: "text", text, block };
}

export function listBlockParts(block: unknown, resourcesAsJson: boolean): readonly Part[] {
  const data = readString(block, "data");
  switch (readString(block, "type")) {
    case "text":
      return [{ kind: "text", text: readString(block, "text") ?? "", block }];
    case "image":
      return [data === undefined ? makeBlockJsonPart(block) : makeImagePart(data, block)];
    case "audio":
      return [data === undefined ? makeBlockJsonPart(block) : makeAudioPart(data, block)];
    case "resource":
      return listResourceParts(block, resourcesAsJson);
    case "resource_link":
      return [resourcesAsJson ? makeBlockJsonPart(block) : makeLinkPart(block)];
    default:
      return [makeBlockJsonPart(block)];
  }
}

function makeImagePart(data: string, block: unknown): Part {
  const bytes = countBase64Bytes(stripDataUrl(data));
  return { kind: "image", size: readImageSize(data), bytes, block };
}

function makeAudioPart(data: string, block: unknown): Part {
  return { kind: "audio", ...readAudio(data), block };
}

function makeLinkPart(block: unknown): Part {
  const texts = ["uri", "name", "description"].map((key) => readString(block, key) ?? "");
  return { kind: "text", text: texts.filter((text) => text !== "").join("\n"), block };
}

function listResourceParts(block: unknown, resourcesAsJson: boolean): readonly Part[] {
  if (resourcesAsJson) return [makeBlockJsonPart(block)];
  const uri = readString(block, "resource", "uri") ?? "";
  const text = readString(block, "resource", "text");
  if (text !== undefined) return [{ kind: "text", text: `${uri}\n${text}`, block }];
  const blob = readString(block, "resource", "blob");
  if (blob === undefined) return [makeBlockJsonPart(block)];
  const type = readString(block, "resource", "mimeType") ?? "";
  const line: Part = { kind: "text", text: `${uri} ${type}`.trim(), block };
  return type.startsWith("image/") ? [line, makeImagePart(blob, block)] : [line];
}

export function makeUnmeasuredMedia(bytes: number): Part {
  return { kind: "image", size: undefined, bytes };
}

function makeBlockJsonPart(block: unknown): Part {
  if (!isObject(block)) return makeJsonPart(block, block);
  const isMedia = typeof block["mimeType"] === "string";
  const shown = Object.entries(block).filter(
    ([name]) => name !== "_meta" && !(isMedia && name === "data"),
  );
  return makeJsonPart(Object.fromEntries(shown), block);
}

export const noBlocks = { text: 0, image: 0, audio: 0, resource: 0, resource_link: 0, other: 0 };

export type BlockCounts = Readonly<typeof noBlocks>;

export function countBlocks(result: unknown): BlockCounts {
  const counts = { ...noBlocks };
  for (const block of readArray(result, "content")) {
    const type = readString(block, "type");
    counts[isBlockType(type) ? type : "other"] += 1;
  }
  return counts;
}

function isBlockType(type: string | undefined): type is keyof BlockCounts {
  return type !== undefined && Object.hasOwn(noBlocks, type);
}
