import type { Counting, Encoding, Estimation, Estimator } from "#meter/estimate.ts";
import { atOnce, countWithin, once } from "./bpe.ts";
import type { EstimatorDeps } from "./bpe.ts";

/** A public vocabulary and the factor that brings its counts near a model whose vocabulary is secret. */
export type Scale = {
  readonly encoding: Encoding;
  /** Tokens of the model per token of the vocabulary, at least 1. */
  readonly factor: number;
  readonly definitions?: {
    readonly factor: number;
    readonly perTool: number;
    readonly perList: number;
  };
};

/** Counts with a vocabulary and multiplies, rounded to the nearest token. */
export function byScale(
  said: Pick<Estimation, "id" | "confidence" | "error">,
  scale: Scale,
  deps: EstimatorDeps,
): Estimator {
  const { encoding, factor, definitions } = scale;
  const counter = once(() => deps.tokenizer(encoding));
  const scaled = (text: string, by: number): number =>
    text === "" ? 0 : Math.round(counter().count(text) * by);
  return {
    ...said,
    method: "bpe-scaled",
    encoding: `${encoding}*${factor}`,
    tokensPerByteMax: Math.ceil(factor),
    count: (text) => scaled(text, factor),
    begin: (text) => {
      const counting = counter().begin?.(text) ?? atOnce(() => counter().count(text));
      return scaledCounting(counting, factor);
    },
    within: (text, limit) => {
      // The factor is at least 1, so no text within the limit has more base tokens than the limit.
      const base = countWithin(counter(), text, limit);
      const tokens = base === undefined ? Infinity : Math.round(base * factor);
      return tokens <= limit ? tokens : undefined;
    },
    ...(definitions === undefined
      ? {}
      : {
          definitions: {
            count: (text: string): number => scaled(text, definitions.factor),
            perTool: definitions.perTool,
            perList: definitions.perList,
          },
        }),
  };
}

function scaledCounting(base: Counting, factor: number): Counting {
  return {
    advance: (workMax) => base.advance(workMax),
    get tokens(): number {
      return Math.round(base.tokens * factor);
    },
  };
}
