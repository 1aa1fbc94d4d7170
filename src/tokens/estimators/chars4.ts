import type { Estimator } from "../cost/estimator.ts";
import { textAt } from "#wire/json.ts";
import { byRatio } from "./ratio.ts";

const charactersPerToken = 4;

/** For the content array of a result, and for each of its blocks. */
const contentCharacters = 40;
const blockCharacters = 20;

/** Content arrays are ⌈(Σ length of `text` and `data` + 40 + 20·blocks) / 4⌉: the only estimator that counts base64 as characters. */
export function chars4(): Estimator {
  const error = "38 % too low for tool definitions on current Claude models";
  return {
    ...byRatio("chars4", charactersPerToken, error),
    // A block can be three bytes (`{},`) and is priced at five tokens.
    tokensPerLineByteMax: 2,
    framesCalls: true,
    content: countContent,
  };
}

function countContent(blocks: readonly unknown[]): number {
  let characters = contentCharacters + blockCharacters * blocks.length;
  for (const block of blocks) {
    characters += (textAt(block, "text") ?? "").length + (textAt(block, "data") ?? "").length;
  }
  return Math.ceil(characters / charactersPerToken);
}
