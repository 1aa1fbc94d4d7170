import { readFileSync } from "node:fs";
import { join } from "node:path";
import { paddingBytes, type Utf8 } from "#tokens/tokenizer/utf8.ts";
import { root } from "./oracle.ts";

export function everyToken(encoding: string): { text: Utf8; ends: number[] } {
  const path = join(root, `node_modules/gpt-tokenizer/data/${encoding}.tiktoken`);
  const tokens = readFileSync(path, "latin1")
    .trimEnd()
    .split("\n")
    .map((line) => Buffer.from(line.split(" ")[0] ?? "", "base64"));
  let end = 0;
  const ends = tokens.map((token) => (end += token.length));
  const bytes = new Uint8Array(Buffer.concat([...tokens, Buffer.alloc(paddingBytes)]));
  return { text: { bytes, view: new DataView(bytes.buffer), end, isFinal: true }, ends };
}
