import { join } from "node:path";
import type { Encoding } from "#tokenizer/tokenizer.ts";

const root = join(import.meta.dir, "../../..");

/** Tokens of a text. */
export type Count = (text: string) => number;

/** Our tokenizer of an encoding, which costs no time before. */
export async function loadOurs(encoding: Encoding): Promise<Count> {
  const { Tokenizer } = await import("#tokenizer/tokenizer.ts");
  const file = await Bun.file(join(root, `dist/vocabulary/${encoding}.bin`)).arrayBuffer();
  const tokenizer = new Tokenizer(encoding, file);
  return (text) => tokenizer.count(text);
}

/** Each tokenizer of the comparison, loaded as its documentation says for o200k_base. */
export const tokenizerPeers: Readonly<Record<string, () => Promise<Count>>> = {
  "mcp-meter": () => loadOurs("o200k_base"),
  "ai-tokenizer": async () => {
    const [{ Tokenizer }, encoding] = await Promise.all([
      import("ai-tokenizer"),
      import("ai-tokenizer/encoding/o200k_base"),
    ]);
    const tokenizer = new Tokenizer(encoding);
    return (text) => tokenizer.count(text);
  },
  "gpt-tokenizer": async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  },
  "js-tiktoken": async () => {
    const { Tiktoken } = await import("js-tiktoken/lite");
    const { default: ranks } = await import("js-tiktoken/ranks/o200k_base");
    const encoder = new Tiktoken(ranks);
    return (text) => encoder.encode(text, [], []).length;
  },
  "tiktoken (wasmPeer)": async () => {
    const { Tiktoken } = await import("tiktoken");
    const { default: ranks } = await import("tiktoken/encoders/o200k_base.json");
    const encoder = new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
    return (text) => encoder.encode_ordinary(text).length;
  },
};

export const ourPeer = "mcp-meter";
export const wasmPeer = "tiktoken (wasmPeer)";
