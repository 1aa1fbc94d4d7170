import type { Estimator } from "#cost/estimator.ts";
import type { Encoding } from "#tokenizer/tokenizer.ts";
import type { EstimatorDeps } from "./deps.ts";
import { remembered } from "./remembered.ts";

/** Counts exactly with a public vocabulary. The confidence is that for a model whose vocabulary is not known. */
export function byVocabulary(id: string, encoding: Encoding, deps: EstimatorDeps): Estimator {
  return {
    id,
    method: "bpe",
    encoding,
    confidence: "medium",
    error: `exact for models that use ${encoding}; not known for other models`,
    tokensPerByteMax: 1,
    count: remembered((text) => deps.tokenizer(encoding).count(text)),
    begin: (text) => deps.tokenizer(encoding).begin(text),
    within: (text, limit) => deps.tokenizer(encoding).within(text, limit),
    parts: {
      units: (utf8) => deps.tokenizer(encoding).countBytes(utf8),
      tokens: (units) => units,
    },
  };
}
