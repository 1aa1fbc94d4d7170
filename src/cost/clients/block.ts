import { compactJson, textAt } from "#wire/json.ts";
import { base64Bytes, withoutDataUrl } from "../media/base64.ts";
import { blockParts, type Part } from "../part.ts";
import { isForUser } from "../overhead/overhead.ts";

/** The kinds of content blocks that clients distinguish. */
export type BlockKind =
  | "text"
  | "image"
  /** In a format that models do not accept. */
  | "unreadable-image"
  | "audio"
  | "link"
  | "resource-text"
  | "resource-image"
  | "resource-blob"
  | "unknown";

/** All kinds. */
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

/**
 * A content block with the facts that a client's rule may use; an absent text is empty. Most facts are read only when a
 * rule asks for them: a rule for text, the usual one, asks for none.
 */
export class Block {
  /** The block as the server sent it. */
  readonly raw: unknown;
  readonly kind: BlockKind;
  /** The block as it is priced on the wire. */
  readonly parts: readonly Part[];

  constructor(raw: unknown, asJson: boolean) {
    this.raw = raw;
    this.kind = kindOf(raw);
    this.parts = blockParts(raw, asJson);
  }

  get text(): string {
    return this.#content("text");
  }

  get name(): string {
    return textAt(this.raw, "name") ?? "";
  }

  get title(): string {
    return textAt(this.raw, "title") ?? "";
  }

  get uri(): string {
    return this.#content("uri");
  }

  get description(): string {
    return textAt(this.raw, "description") ?? "";
  }

  get mimeType(): string {
    return this.#content("mimeType");
  }

  /** Bytes of its data, once decoded. */
  get bytes(): number {
    const data = this.#content(this.#isResource ? "blob" : "data");
    return base64Bytes(withoutDataUrl(data));
  }

  get isForUser(): boolean {
    return isForUser(this.raw);
  }

  /** The whole block as its compact JSON. */
  json(): string {
    return compactJson(this.raw);
  }

  get #isResource(): boolean {
    return this.kind.startsWith("resource");
  }

  /** A text of the block, or of the resource inside it. */
  #content(name: string): string {
    const text = this.#isResource ? textAt(this.raw, "resource", name) : textAt(this.raw, name);
    return text ?? "";
  }
}

const readableImages = new Set(["", "image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Reads the blocks of a result. Accepts any JSON values. */
export function readBlocks(rawBlocks: readonly unknown[], asJson: boolean): readonly Block[] {
  return rawBlocks.map((raw) => new Block(raw, asJson));
}

function kindOf(raw: unknown): BlockKind {
  const hasData = textAt(raw, "data") !== undefined;
  switch (textAt(raw, "type")) {
    case "text":
      return "text";
    case "image":
      if (!hasData) return "unknown";
      return readableImages.has(textAt(raw, "mimeType") ?? "") ? "image" : "unreadable-image";
    case "audio":
      return hasData ? "audio" : "unknown";
    case "resource_link":
      return "link";
    case "resource":
      return resourceKind(raw);
    default:
      return "unknown";
  }
}

function resourceKind(raw: unknown): BlockKind {
  if (textAt(raw, "resource", "text") !== undefined) return "resource-text";
  if (textAt(raw, "resource", "blob") === undefined) return "unknown";
  const type = textAt(raw, "resource", "mimeType") ?? "";
  return type.startsWith("image/") ? "resource-image" : "resource-blob";
}

/** The image or sound of a block. */
export function mediaIn({ parts }: Block): readonly Part[] {
  return parts.filter(({ kind }) => kind !== "text");
}
