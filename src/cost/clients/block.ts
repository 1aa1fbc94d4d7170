import { compactJson, textAt } from "#wire/json.ts";
import { base64Bytes, withoutDataUrl } from "../media/base64.ts";
import { contentParts, type Part } from "../part.ts";
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

/** A content block with the facts that a client's rule may use; an absent text is empty. */
export type Block = {
  readonly kind: BlockKind;
  /** The block as the server sent it. */
  readonly raw: unknown;
  /** The block as it is priced on the wire. */
  readonly parts: readonly Part[];
  readonly text: string;
  readonly name: string;
  readonly title: string;
  readonly uri: string;
  readonly description: string;
  readonly mimeType: string;
  /** Bytes of its data, once decoded. */
  readonly bytes: number;
  readonly isForUser: boolean;
  /** The whole block as its compact JSON. */
  readonly json: () => string;
};

const readableImages = new Set(["", "image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Reads the blocks of a result. Accepts any JSON values. */
export function readBlocks(rawBlocks: readonly unknown[], asJson: boolean): readonly Block[] {
  return rawBlocks.map((raw) => readBlock(raw, asJson));
}

function readBlock(raw: unknown, asJson: boolean): Block {
  const kind = kindOf(raw);
  const at = (...path: string[]): string => textAt(raw, ...path) ?? "";
  const isResource = kind.startsWith("resource");
  const data = isResource ? at("resource", "blob") : at("data");
  return {
    kind,
    raw,
    parts: contentParts([raw], asJson),
    text: isResource ? at("resource", "text") : at("text"),
    name: at("name"),
    title: at("title"),
    uri: isResource ? at("resource", "uri") : at("uri"),
    description: at("description"),
    mimeType: isResource ? at("resource", "mimeType") : at("mimeType"),
    bytes: base64Bytes(withoutDataUrl(data)),
    isForUser: isForUser(raw),
    json: () => compactJson(raw),
  };
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
