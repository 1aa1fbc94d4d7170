import { get_encoding } from "tiktoken";
import type { EstimatorDeps } from "#estimators/index.ts";
import type { TokenCounter } from "#cost/estimator.ts";
import type { Counting, Encoding } from "#tokenizer/tokenizer.ts";

const loaded = new Map<Encoding, TokenCounter>();

/** Tiktoken as the tokenizer, with slices and limits of its own so that both ways are tested. */
export const tiktoken: EstimatorDeps = {
  tokenizer: (encoding) => {
    const known = loaded.get(encoding);
    if (known !== undefined) return known;
    const oracle = get_encoding(encoding);
    const counter = sliced((text) => oracle.encode_ordinary(text).length);
    loaded.set(encoding, counter);
    return counter;
  },
};

/** A tokenizer that can only count: one token a UTF-16 unit. */
export const unitsOnly: EstimatorDeps = { tokenizer: () => ({ count: (text) => text.length }) };

/** A tokenizer that must not be asked for. */
export const forbidden: EstimatorDeps = {
  tokenizer: (encoding) => {
    throw new Error(`${encoding} was loaded`);
  },
};

function sliced(count: (text: string) => number): TokenCounter {
  return {
    count,
    within: (text, limit) => (count(text) <= limit ? count(text) : undefined),
    begin: (text) => slices(text, count),
  };
}

/** Shows nothing until it has seen the whole text. */
function slices(text: string, count: (text: string) => number): Counting {
  let seen = 0;
  return {
    advance: (workMax) => {
      seen += workMax;
      return seen >= text.length;
    },
    get tokens() {
      return seen >= text.length ? count(text) : 0;
    },
  };
}
