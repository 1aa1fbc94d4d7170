import { resolveEstimator } from "#estimators/resolve.ts";
import type { EstimatorId } from "#estimators/index.ts";
import { findProfile } from "#cost/clients.ts";
import { defaultWindowTokens } from "#cost/models.ts";
import type { TokenCounter } from "#cost/estimator.ts";
import type { Reader } from "#cost/reader.ts";
import { tokenizerFor } from "#storage/vocabulary.ts";

/** What the user said about who reads. */
export type ReaderOptions = {
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly client: string | undefined;
  readonly windowTokens: number | undefined;
};

/** Chooses who reads by the client's own name, unless the user named another. */
export function readerFor(options: ReaderOptions): (clientName: string | undefined) => Reader {
  return (clientName) => {
    const client = options.client ?? clientName;
    const { estimator, model } = resolveEstimator(
      { tokenizer: options.tokenizer, model: options.model, client },
      { tokenizer: (encoding): TokenCounter => tokenizerFor(encoding) },
    );
    return {
      estimator,
      family: model.family,
      profile: findProfile(client),
      windowTokens: options.windowTokens ?? model.windowTokens ?? defaultWindowTokens,
      model: options.model ?? null,
    };
  };
}
