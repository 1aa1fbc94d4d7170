import { Tiktoken } from "tiktoken";
import {
  letterFlag,
  lowerFlag,
  newlineFlag,
  numberFlag,
  spaceFlag,
  tailFlag,
  upperFlag,
} from "#tokens/tokenizer/vocabulary-layout.ts";

const codePoints = 0x110000;
const blockPoints = 128;

const classPatterns: readonly (readonly [pattern: string, flags: number])[] = [
  ["[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]", upperFlag],
  ["[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]", lowerFlag],
  ["\\p{L}", letterFlag],
  ["\\p{N}", numberFlag],
  ["\\s", spaceFlag],
  ["[\\r\\n]", newlineFlag],
];

/**
 * Class flags of all code points as two tables of bytes: `blocks[point >> 7]` is the number of a block of 128
 * in `classes`. `tail` matches the characters that may end a run of symbols. The flags come from tiktoken's
 * own regular-expression engine, which has an older Unicode than this runtime and another `\s`.
 */
export function makeUnicodeTables(tail: string): { blocks: Uint8Array; classes: Uint8Array } {
  const flags = new Uint8Array(codePoints);
  const text = joinScalars();
  for (const [pattern, flag] of [...classPatterns, [tail, tailFlag] as const]) {
    for (const point of findMatches(pattern, text)) flags[point] = (flags[point] ?? 0) | flag;
  }
  return foldBlocks(flags);
}

function joinScalars(): string {
  const parts: string[] = [];
  for (let point = 0; point < codePoints; point++) {
    if (point < 0xd800 || point > 0xdfff) parts.push(String.fromCodePoint(point));
  }
  return parts.join("");
}

/** With one token per byte, exactly the matches of `pattern` are encoded. */
function findMatches(pattern: string, text: string): number[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte).toString("base64"));
  const engine = new Tiktoken(`! 0 ${bytes.join(" ")}`, {}, pattern);
  const matched = Buffer.from(engine.encode_ordinary(text)).toString("utf8");
  engine.free();
  return Array.from(matched, (character) => character.codePointAt(0) ?? 0);
}

function foldBlocks(flags: Uint8Array): { blocks: Uint8Array; classes: Uint8Array } {
  const blocks = new Uint8Array(codePoints / blockPoints);
  const seen = new Map<string, number>();
  const uniqueBlocks: Uint8Array[] = [];
  for (let block = 0; block < blocks.length; block++) {
    const content = flags.subarray(block * blockPoints, (block + 1) * blockPoints);
    const key = content.join();
    const number = seen.get(key) ?? seen.size;
    if (number === seen.size) uniqueBlocks.push(content);
    seen.set(key, number);
    blocks[block] = number;
  }
  if (uniqueBlocks.length > 256)
    throw new Error(`Unicode needs ${uniqueBlocks.length} blocks, at most 256 fit`);
  return { blocks, classes: new Uint8Array(Buffer.concat(uniqueBlocks)) };
}
