import type { Estimator } from "#cost/estimator.ts";
import { byRatio } from "./ratio.ts";

const charactersPerToken = 4;
const contentCharacters = 40;
const blockCharacters = 20;

/**
 * ⌈characters/4⌉, and content arrays as ⌈(Σ length of `text` and `data` + 40 + 20·blocks) / 4⌉: base64
 * counts as characters here and nowhere else.
 */
export function chars4(): Estimator {
  return {
    ...byRatio(
      "chars4",
      charactersPerToken,
      "38 % under for tool definitions on current Claude models",
    ),
    // A block can be three bytes (`{},`) and is priced at five tokens.
    tokensPerByteMax: 2,
    content: countContent,
  };
}

function countContent(blocks: readonly unknown[]): number {
  let characters = contentCharacters + blockCharacters * blocks.length;
  for (const block of blocks) characters += lengthOf(block, "text") + lengthOf(block, "data");
  return Math.ceil(characters / charactersPerToken);
}

function lengthOf(block: unknown, key: "text" | "data"): number {
  if (typeof block !== "object" || block === null) return 0;
  const value: unknown = Reflect.get(block, key);
  return typeof value === "string" ? value.length : 0;
}
