import { get_encoding } from "tiktoken";

const vocabulary = get_encoding("o200k_base");

/** Tokens of a text as tiktoken counts them with o200k. */
export function countTokens(text: string): number {
  return vocabulary.encode_ordinary(text).length;
}
