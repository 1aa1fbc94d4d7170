import { join } from "node:path";
import { Tiktoken } from "tiktoken";
import { type Encoding, Tokenizer } from "#tokens/tokenizer/tokenizer.ts";
import { Vocabulary } from "#tokens/tokenizer/vocabulary.ts";
import { buildVocabularies } from "../../../../scripts/vocabulary.ts";

export const root = join(import.meta.dir, "../../../..");
export const encodings: readonly Encoding[] = ["o200k_base", "cl100k_base"];

await buildVocabularies();

export async function vocabularyFile(encoding: Encoding): Promise<ArrayBuffer> {
  return Bun.file(join(root, `dist/vocabulary/${encoding}.bin`)).arrayBuffer();
}

export async function vocabulary(encoding: Encoding): Promise<Vocabulary> {
  return new Vocabulary(await vocabularyFile(encoding));
}

export async function tokenizer(encoding: Encoding): Promise<Tokenizer> {
  return new Tokenizer(encoding, await vocabularyFile(encoding));
}

type Published = {
  readonly bpe_ranks: string;
  readonly special_tokens: Record<string, number>;
  readonly pat_str: string;
};

const oracles = new Map<Encoding, Tiktoken>();

export async function encodeWithTiktoken(
  encoding: Encoding,
): Promise<(text: string) => Uint32Array> {
  let oracle = oracles.get(encoding);
  if (oracle === undefined) {
    const published: Published = await Bun.file(
      join(root, `node_modules/tiktoken/encoders/${encoding}.json`),
    ).json();
    oracle = new Tiktoken(published.bpe_ranks, published.special_tokens, published.pat_str);
    oracles.set(encoding, oracle);
  }
  const engine = oracle;
  return (text) => engine.encode_ordinary(text);
}
