import { readFileSync } from "node:fs";
import { type Encoding, Tokenizer } from "#tokenizer/tokenizer.ts";
// Made by scripts/vocabulary.ts and embedded in the executable.
import cl100kFile from "../../dist/vocabulary/cl100k_base.bin" with { type: "file" };
import o200kFile from "../../dist/vocabulary/o200k_base.bin" with { type: "file" };

const files: { readonly [encoding in Encoding]: string } = {
  o200k_base: o200kFile,
  cl100k_base: cl100kFile,
};

const tokenizers = new Map<Encoding, Tokenizer>();

/** The tokenizer of an encoding. Its vocabulary is loaded at the first call, and no other one. */
export function tokenizerFor(encoding: Encoding): Tokenizer {
  const known = tokenizers.get(encoding);
  if (known) return known;
  const { buffer, byteOffset, byteLength } = readFileSync(files[encoding]);
  const tokenizer = new Tokenizer(encoding, ownBuffer(buffer, byteOffset, byteLength));
  tokenizers.set(encoding, tokenizer);
  return tokenizer;
}

/** A buffer of these bytes alone: the runtime may return a part of a shared pool. */
function ownBuffer(buffer: ArrayBufferLike, start: number, length: number): ArrayBuffer {
  if (buffer instanceof ArrayBuffer && start === 0 && buffer.byteLength === length) return buffer;
  return new Uint8Array(new Uint8Array(buffer, start, length)).buffer;
}
