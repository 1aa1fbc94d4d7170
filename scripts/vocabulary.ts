import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatRanges } from "#state/storage/vocabulary-bytes.ts";
import { stampWord, stampWords } from "#tokens/tokenizer/vocabulary-layout.ts";
import { readIfPresent, writeWhole } from "./whole-files.ts";

const root = join(import.meta.dir, "..");
const folder = join(root, "dist/vocabulary");

const sources = [
  {
    encoding: "o200k_base",
    sha256: "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    tail: "[\\r\\n/]",
  },
  {
    encoding: "cl100k_base",
    sha256: "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    tail: "[\\r\\n]",
  },
] as const;

const inputs = [
  "scripts/vocabulary.ts",
  "scripts/vocabulary-pack.ts",
  "scripts/vocabulary-unicode.ts",
  "src/tokens/tokenizer/vocabulary-layout.ts",
  "src/tokens/tokenizer/merge.ts",
  "node_modules/tiktoken/package.json",
];

export const encodings = sources.map(({ encoding }) => encoding);

export function vocabularyFile(encoding: (typeof encodings)[number]): string {
  return join(folder, `${encoding}.bin`);
}

// Writes only files whose sources changed, and returns their paths. Throws if a source is not the pinned one.
export async function buildVocabularies(): Promise<string[]> {
  const written: string[] = [];
  const places = join(folder, "places.bin");
  if (readIfPresent(places).toString("latin1") !== formatRanges(encodings)) {
    writeWhole(places, formatRanges(encodings));
    written.push(places);
  }
  for (const { encoding, sha256, tail } of sources) {
    const path = vocabularyFile(encoding);
    const stamp = computeStamp(sha256);
    if (isCurrent(path, stamp)) continue;
    const source = readSource(encoding, sha256);
    const { packVocabulary } = await import("./vocabulary-pack.ts");
    const { makeUnicodeTables } = await import("./vocabulary-unicode.ts");
    const packed = packVocabulary(parseTokens(source), makeUnicodeTables(tail), stamp);
    writeWhole(path, packed);
    written.push(path);
  }
  return written;
}

function computeStamp(sha256: string): Buffer {
  const hash = createHash("sha256").update(sha256);
  for (const maker of inputs) hash.update(readFileSync(join(root, maker)));
  return hash.digest();
}

function isCurrent(path: string, stamp: Buffer): boolean {
  const from = stampWord * 4;
  return readIfPresent(path)
    .subarray(from, from + stampWords * 4)
    .equals(stamp);
}

function readSource(encoding: string, sha256: string): string {
  const path = join(root, `node_modules/gpt-tokenizer/data/${encoding}.tiktoken`);
  const source = readFileSync(path);
  const actual = createHash("sha256").update(source).digest("hex");
  if (actual !== sha256) {
    throw new Error(`Cannot pack "${path}": its sha256 must be ${sha256}, not ${actual}`);
  }
  return source.toString("latin1");
}

function parseTokens(source: string): Uint8Array[] {
  return source
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      const [token = "", rank] = line.split(" ");
      if (Number(rank) !== index) throw new Error(`Rank ${rank} is in line ${index + 1}`);
      return new Uint8Array(Buffer.from(token, "base64"));
    });
}

if (import.meta.main) {
  const written = await buildVocabularies();
  console.log(written.length === 0 ? "vocabularies are current" : written.join("\n"));
}
