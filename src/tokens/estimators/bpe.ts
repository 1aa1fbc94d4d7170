import type { Estimator } from "../cost/estimator.ts";
import type { Encoding } from "../tokenizer/tokenizer.ts";
import type { EstimatorDeps } from "./deps.ts";
import { remembered } from "./remembered.ts";

/** A byte that is not UTF-8 becomes U+FFFD: three bytes, at most three tokens. Digits are at least three to a token: at most 1.6 for a number that grows. */
export const vocabularyLineBound = 3;

export function byVocabulary(id: string, encoding: Encoding, deps: EstimatorDeps): Estimator {
  return {
    id,
    method: "bpe",
    encoding,
    confidence: "medium",
    error: `exact for models that use ${encoding}; not known for other models`,
    tokensPerTextByteMax: 1,
    tokensPerLineByteMax: vocabularyLineBound,
    count: remembered((text) => deps.tokenizer(encoding).count(text)),
    begin: (text) => deps.tokenizer(encoding).begin(text),
    within: (text, limit) => deps.tokenizer(encoding).within(text, limit),
    parts: {
      units: (utf8) => deps.tokenizer(encoding).countBytes(utf8),
      tokens: (units) => units,
    },
  };
}
