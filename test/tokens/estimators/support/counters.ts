import type { EstimatorDeps } from "#tokens/estimators/bpe.ts";
import { get_encoding } from "tiktoken";
import type { TokenCounter } from "#tokens/cost/estimator.ts";
import type { Counting, Encoding } from "#tokens/tokenizer/tokenizer.ts";

const loaded = new Map<Encoding, TokenCounter>();

export const tiktoken: EstimatorDeps = {
  loadTokenizer: (encoding) => {
    const known = loaded.get(encoding);
    if (known !== undefined) return known;
    const oracle = get_encoding(encoding);
    const counter = sliced((text) => oracle.encode_ordinary(text).length);
    loaded.set(encoding, counter);
    return counter;
  },
};

const units = sliced((text) => text.length);

export const unitsOnly: EstimatorDeps = { loadTokenizer: () => units };

export const forbidden: EstimatorDeps = {
  loadTokenizer: (encoding) => {
    throw new Error(`${encoding} was loaded`);
  },
};

function sliced(count: (text: string) => number): TokenCounter {
  return {
    count,
    countWithin: (text, limit) => (count(text) <= limit ? count(text) : undefined),
    begin: (text) => slices(text, count),
    countBytes: (utf8) => count(new TextDecoder("utf-8", { ignoreBOM: true }).decode(utf8)),
  };
}

// Reports no tokens until it has read the whole text.
function slices(text: string, count: (text: string) => number): Counting {
  let read = 0;
  return {
    advance: (workMax) => {
      read += workMax;
      return read >= text.length;
    },
    get tokens() {
      return read >= text.length ? count(text) : 0;
    },
  };
}
