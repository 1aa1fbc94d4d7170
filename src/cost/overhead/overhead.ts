import { overheadCharactersMax } from "#limits/content.ts";
import { arrayAt, memberAt } from "#wire/json.ts";
import {
  countJsonCharacters,
  isJsonDocument,
  type JsonCharacters,
  looksLikeJson,
} from "./json-text.ts";
import { opensAsInstruction, preambleLength } from "./preamble.ts";

/** The part of an answer that does not answer anything, as far as it was examined. */
export type Overhead = {
  /** Blocks that are annotated for the user alone but shown to the model. */
  readonly user_only_tokens: number;
  /** Paragraphs, elements and blocks ahead of the answer that instruct the model. */
  readonly preamble_tokens: number;
  /** Texts of 1,000 characters and more that are JSON. */
  readonly json_tokens: number;
  /** The same texts without white space between their tokens. */
  readonly minified_tokens: number;
  /** Share of their characters that are keys, quotes, brackets and white space, 0…1. */
  readonly structure_ratio: number;
};

/** Characters of one text by their purpose; the five add up to its length. Text that is not JSON is data. */
export type TextOverhead = JsonCharacters & {
  /** Sentences ahead of the answer that instruct the model. */
  readonly preamble: number;
};

/** True for a block that the server intends for the user and not for the model. */
export function isForUser(block: unknown): boolean {
  const audience = arrayAt(memberAt(block, "annotations"), "audience");
  return audience.length > 0 && audience.every((reader) => reader === "user");
}

/** Measures one text; `isFollowed` when the answer has more blocks behind it. */
export function measureText(text: string, isFollowed = false): TextOverhead {
  const preamble = looksLikeJson(text) ? 0 : preambleLength(text, isFollowed);
  const rest = text.slice(preamble);
  if (isJsonDocument(rest)) return { ...countJsonCharacters(rest), preamble };
  return { data: rest.length, keys: 0, punctuation: 0, whiteSpace: 0, preamble };
}

/** False for a text that certainly has no overhead: it neither looks like short JSON nor opens as an instruction. */
export function mayHaveOverhead(text: string, isFollowed = false): boolean {
  const isShort = text.length <= overheadCharactersMax;
  if (looksLikeJson(text)) return isShort;
  return isShort ? preambleLength(text, isFollowed) > 0 : opensAsInstruction(text);
}
