import type { Counting } from "#tokenizer/tokenizer.ts";

/** Texts of one tool definition; `schema` is the compact JSON of `inputSchema`. */
export type DefinitionTexts = {
  readonly name: string;
  readonly description: string;
  readonly schema: string;
};

/** Tokens of a part of a definition, and those of the descriptions in it. */
export type PartTokens = { text: number; descriptions: number };

/** A linear price of tool definitions: the texts as the model reads them, and a constant per list. */
export type DefinitionModel = {
  /** Vocabulary and factor behind the numbers, in the form of an estimation's encoding. */
  readonly encoding: string;
  /** The texts with the syntax that surrounds them in a request; an absent text stays empty. */
  form(texts: DefinitionTexts): DefinitionTexts;
  /** Tokens of one text that `form` returned, or of a bare description, before `price`. */
  count(text: string): number;
  begin?(text: string): Counting;
  /** Tokens of a part for the model, where they are not those of its text: descriptions may cost less than structure. */
  price?(part: Readonly<PartTokens>): number;
  /** Tokens of having any tool at all; an empty list costs nothing. */
  readonly perList: number;
};
