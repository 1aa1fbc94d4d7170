import { stringifyCompact, readMember, readString } from "#wire/json.ts";
import { countBase64Bytes, stripDataUrl, isImageData } from "../media/image.ts";
import { listBlockParts, type Part } from "../part.ts";
import { isForUser } from "../overhead/overhead.ts";

export type BlockKind =
  | "text"
  | "image"
  // A format that models do not accept, or data in another format.
  | "unreadable-image"
  | "audio"
  | "link"
  | "resource-text"
  | "resource-image"
  | "resource-blob"
  | "unknown";

export const blockKinds: readonly BlockKind[] = [
  "text",
  "image",
  "unreadable-image",
  "audio",
  "link",
  "resource-text",
  "resource-image",
  "resource-blob",
  "unknown",
];

// Facts are read on demand: the rule for text, by far the most common, needs none.
export class Block {
  readonly raw: unknown;
  readonly kind: BlockKind;
  readonly parts: readonly Part[];

  constructor(raw: unknown, asJson: boolean) {
    this.raw = raw;
    this.kind = detectKind(raw);
    this.parts = listBlockParts(raw, asJson);
  }

  get text(): string {
    return this.#content("text");
  }

  get name(): string {
    return readString(this.raw, "name") ?? "";
  }

  get title(): string {
    return readString(this.raw, "title") ?? "";
  }

  get uri(): string {
    return this.#content("uri");
  }

  get description(): string {
    return readString(this.raw, "description") ?? "";
  }

  get mimeType(): string {
    return this.#content("mimeType");
  }

  get data(): string {
    return this.#content(this.#isResource ? "blob" : "data");
  }

  // Size of the decoded data.
  get bytes(): number {
    return countBase64Bytes(stripDataUrl(this.data));
  }

  // The MIME type says an image that models accept, but the data have no known image format.
  get isBroken(): boolean {
    const isImage = this.kind === "unreadable-image" || this.kind === "resource-blob";
    return isImage && this.mimeType !== "" && readableImages.has(this.mimeType);
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

  #content(name: string): string {
    const text = this.#isResource
      ? readString(this.raw, "resource", name)
      : readString(this.raw, name);
    return text ?? "";
  }
}

const readableImages = new Set(["", "image/png", "image/jpeg", "image/gif", "image/webp"]);

export function readBlocks(rawBlocks: readonly unknown[], asJson: boolean): readonly Block[] {
  return rawBlocks.map((raw) => new Block(raw, asJson));
}

function detectKind(raw: unknown): BlockKind {
  const hasData = readString(raw, "data") !== undefined;
  switch (readString(raw, "type")) {
    case "text":
      return "text";
    case "image":
      if (!hasData) return "unknown";
      return isReadable(raw, "data") ? "image" : "unreadable-image";
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
  return isTyped && isReadable(resource, "blob") ? "resource-image" : "resource-blob";
}

function isReadable(raw: unknown, member: "data" | "blob"): boolean {
  const type = readString(raw, "mimeType") ?? "";
  return readableImages.has(type) && isImageData(readString(raw, member) ?? "");
}

export function listMedia({ parts }: Block): readonly Part[] {
  return parts.filter(({ kind }) => kind !== "text");
}
