import type { EstimatorId } from "#tokens/estimators/ids.ts";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { plainProfile } from "#tokens/cost/client-profiles/common.ts";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { Reader } from "#tokens/cost/reader.ts";

export function plainReader(
  client: string | undefined,
  tokenizer: Extract<EstimatorId, "chars4" | "chars3.5" | "chars3" | "words"> = "chars3",
): Reader {
  const { estimator, model } = resolveEstimator(
    { tokenizer, client },
    { loadTokenizer: noVocabulary },
  );
  return {
    estimator,
    family: model.family,
    profile: client === undefined ? plainProfile : findProfile(client),
    windowTokens: 200_000,
    model: null,
  };
}

function noVocabulary(): never {
  throw new Error("this estimator needs no vocabulary");
}
