import { arrayAt, memberAt } from "#wire/json.ts";
import {
  countJsonCharacters,
  type JsonCharacters,
  looksLikeJson,
  parseDocument,
  overheadCharactersMax,
} from "./json-text.ts";
import { opensAsInstruction, preambleLength } from "./preamble.ts";

export type Overhead = {
  readonly user_only_tokens: number;
  /** Instructions to the model ahead of the answer. */
  readonly preamble_tokens: number;
  /** Texts of 1,000 characters and more that are JSON. */
  readonly json_tokens: number;
  readonly minified_tokens: number;
  /** Share of their characters that are keys, quotes, brackets and white space, 0…1. */
  readonly structure_ratio: number;
};

export type TextOverhead = JsonCharacters & {
  readonly preamble: number;
  readonly document?: unknown;
};

export function isForUser(block: unknown): boolean {
  const audience = arrayAt(memberAt(block, "annotations"), "audience");
  return audience.length > 0 && audience.every((reader) => reader === "user");
}

/** `isFollowed` when the answer has more blocks. */
export function measureText(text: string, isFollowed = false): TextOverhead {
  const preamble = looksLikeJson(text) ? 0 : preambleLength(text, isFollowed);
  const rest = text.slice(preamble);
  const document = parseDocument(rest);
  if (document !== undefined) return { ...countJsonCharacters(rest), preamble, document };
  return { data: rest.length, keys: 0, punctuation: 0, whiteSpace: 0, preamble };
}

// Neither short JSON nor an opening instruction.
export function mayHaveOverhead(text: string, isFollowed = false): boolean {
  const isShort = text.length <= overheadCharactersMax;
  if (looksLikeJson(text)) return isShort;
  return isShort ? preambleLength(text, isFollowed) > 0 : opensAsInstruction(text);
}
