import { arrayAt, textAt } from "#wire/json.ts";

export type BlockCounts = {
  readonly text: number;
  readonly image: number;
  readonly audio: number;
  readonly resource: number;
  readonly resource_link: number;
  readonly other: number;
};

export const noBlocks: BlockCounts = {
  text: 0,
  image: 0,
  audio: 0,
  resource: 0,
  resource_link: 0,
  other: 0,
};

const blockTypes = ["text", "image", "audio", "resource", "resource_link"] as const;

export function countBlocks(result: unknown): BlockCounts {
  const counts = { ...noBlocks };
  for (const block of arrayAt(result, "content")) {
    const type = textAt(block, "type");
    counts[isBlockType(type) ? type : "other"] += 1;
  }
  return counts;
}

function isBlockType(type: string | undefined): type is (typeof blockTypes)[number] {
  return blockTypes.some((known) => known === type);
}
