import type { Calibration } from "#tokens/estimators/calibration.ts";
import { resolveEstimator } from "#tokens/estimators/resolve.ts";
import { findProfile } from "#tokens/cost/clients/index.ts";
import { defaultWindowTokens } from "#tokens/cost/models.ts";
import type { TokenCounter } from "#tokens/cost/estimator.ts";
import type { ClientFacts } from "#tokens/cost/clients/client-profile.ts";
import type { ChooseReader } from "#tokens/cost/reader.ts";
import { tokenizerFor } from "#state/storage/vocabulary.ts";
import type { ReaderOptions } from "./reader-options.ts";

/** The client that connects decides, unless options name another. `env` is what it passes to its servers. */
export function readerFor(
  options: ReaderOptions & { readonly calibration?: Calibration | undefined },
  env: ClientFacts["env"] = {},
): ChooseReader {
  return (clientName, version) => {
    const client = options.client ?? clientName;
    const { estimator, model } = resolveEstimator(
      {
        tokenizer: options.tokenizer,
        model: options.model,
        client,
        calibration: options.calibration,
      },
      { tokenizer: (encoding): TokenCounter => tokenizerFor(encoding) },
    );
    return {
      estimator,
      family: model.family,
      profile: findProfile(client, { model: options.model, env, version }),
      windowTokens: options.windowTokens ?? model.windowTokens ?? defaultWindowTokens,
      model: options.model ?? null,
    };
  };
}
