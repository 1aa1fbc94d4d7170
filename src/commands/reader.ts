import { resolveEstimator } from "#estimators/resolve.ts";
import { findProfile } from "#cost/clients.ts";
import { defaultWindowTokens } from "#cost/models.ts";
import type { TokenCounter } from "#cost/estimator.ts";
import type { Reader } from "#cost/reader.ts";
import { tokenizerFor } from "#storage/vocabulary.ts";
import type { ReaderOptions } from "./reader-options.ts";

/** Selects the reader by the name of the client that connects, unless the options name another client. */
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
