import type { BlockKind } from "#cost/clients/block.ts";
import { formatCount, plural } from "#text/numbers.ts";
import type { AnswerPieces } from "./answer-pieces.ts";

/** Characters of the texts of an answer: those that are kept, and all of them. */
export type Extent = { readonly kept: number; readonly all: number };

/** Blocks that cannot be cut, in a word or two. */
const nouns: { readonly [kind in BlockKind]: string } = {
  text: "text",
  image: "image",
  "unreadable-image": "image",
  audio: "sound",
  link: "link",
  "resource-text": "text",
  "resource-image": "image",
  "resource-blob": "file",
  unknown: "unknown block",
};

/** The rest of a shortened answer as a clause, `cut after 1,200 of 3,000 characters and without 2 images`; empty when nothing is missing. */
export function describeRest(
  { kept, all }: Extent,
  { others, losesStructured }: Pick<AnswerPieces, "others" | "losesStructured">,
): string {
  const missing = [
    ...missingBlocks(others.map(({ kind }) => nouns[kind])),
    ...(losesStructured ? ["structuredContent"] : []),
  ];
  const without = missing.length === 0 ? "" : `without ${inWords(missing)}`;
  if (kept === all) return without === "" ? "" : `shown ${without}`;
  const cut = `cut after ${formatCount(kept)} of ${plural(all, "character")}`;
  return without === "" ? cut : `${cut} and ${without}`;
}

function missingBlocks(words: readonly string[]): readonly string[] {
  return [...new Set(words)].map((word) =>
    plural(words.filter((one) => one === word).length, word),
  );
}

/** `a`, `a and b`, `a, b and c`. */
function inWords(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
