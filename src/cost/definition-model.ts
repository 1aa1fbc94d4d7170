import type { Counting } from "#tokenizer/tokenizer.ts";

/** Texts of one tool definition; `schema` is the compact JSON of `inputSchema`. */
export type DefinitionTexts = {
  readonly name: string;
  readonly description: string;
  readonly schema: string;
};

/** Linear price of tool definitions: the texts as the model reads them, and a constant a list. */
export type DefinitionModel = {
  /** Vocabulary and factor behind the numbers, as an estimation's: where it differs, so do they. */
  readonly encoding: string;
  /** The texts with what stands around them in the request; what is absent stays empty. */
  form(texts: DefinitionTexts): DefinitionTexts;
  /** Tokens of one text that `form` gave. */
  count(text: string): number;
  begin?(text: string): Counting;
  /** Tokens that having any tool at all costs; an empty list costs nothing. */
  readonly perList: number;
};
