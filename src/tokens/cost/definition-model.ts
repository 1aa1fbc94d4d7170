import type { Counting } from "../tokenizer/tokenizer.ts";

/** `schema` is the compact JSON of `inputSchema`. */
export type DefinitionTexts = {
  readonly name: string;
  readonly description: string;
  readonly schema: string;
};

export type PartTokens = { text: number; descriptions: number };

/** Linear: the texts as the model reads them, and a constant per list. */
export type DefinitionModel = {
  readonly encoding: string;
  form(texts: DefinitionTexts): DefinitionTexts;
  /** Before `price`; accepts a text of `form` or a bare description. */
  count(text: string): number;
  begin?(text: string): Counting;
  /** Descriptions may cost less than structure. */
  price?(part: Readonly<PartTokens>): number;
  /** Tokens of having any tool; an empty list costs nothing. */
  readonly perList: number;
};
