import { joinWords } from "#kit/sentences.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import type { Block, BlockKind } from "#tokens/cost/client-profiles/block.ts";

type CharacterCounts = { readonly shown: number; readonly total: number };

type LostPieces = {
  readonly blocksWithoutText: readonly Block[];
  readonly losesStructured: boolean;
};

const blockNouns: { readonly [kind in BlockKind]: string } = {
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

export function describeCut(
  { shown, total }: CharacterCounts,
  { blocksWithoutText, losesStructured }: LostPieces,
): string {
  const missing = [
    ...countNouns(blocksWithoutText.map(({ kind }) => blockNouns[kind])),
    ...(losesStructured ? ["structuredContent"] : []),
  ];
  const cut = `cut after ${formatCount(shown)} of ${pluralize(total, "character")}`;
  const without = `shown without ${joinWords(missing, "and")}`;
  return [...(shown === total ? [] : [cut]), ...(missing.length === 0 ? [] : [without])].join(
    " and ",
  );
}

function countNouns(nouns: readonly string[]): readonly string[] {
  return [...Map.groupBy(nouns, (noun) => noun)].map(([noun, { length }]) =>
    pluralize(length, noun),
  );
}
