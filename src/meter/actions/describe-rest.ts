import type { BlockKind } from "#tokens/cost/clients/block.ts";
import { formatCount, plural } from "#kit/text/numbers.ts";
import type { AnswerPieces } from "./answer-pieces.ts";

export type Extent = { readonly kept: number; readonly all: number };

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

function inWords(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
