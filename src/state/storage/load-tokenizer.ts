import { readFileSync } from "node:fs";
import { type Encoding, Tokenizer } from "#tokens/tokenizer/tokenizer.ts";
import { findRange, readEmbedded, readRange } from "./vocabulary-bytes.ts";
// scripts/vocabulary.ts makes these files, and the executable embeds them. The embedded places.bin holds the byte
// range of each vocabulary in the executable.
import cl100kFile from "../../../dist/vocabulary/cl100k_base.bin" with { type: "file" };
import o200kFile from "../../../dist/vocabulary/o200k_base.bin" with { type: "file" };
import rangesFile from "../../../dist/vocabulary/places.bin" with { type: "file" };

const files: { readonly [encoding in Encoding]: string } = {
  o200k_base: o200kFile,
  cl100k_base: cl100kFile,
};

const tokenizers = new Map<Encoding, Tokenizer>();

export function loadTokenizer(encoding: Encoding): Tokenizer {
  const known = tokenizers.get(encoding);
  if (known) return known;
  const range = findRange(readFileSync(rangesFile, "latin1"), encoding);
  const bytes = (range && readRange(range)) ?? readEmbedded(files[encoding]);
  const tokenizer = new Tokenizer(encoding, bytes);
  tokenizers.set(encoding, tokenizer);
  return tokenizer;
}
