import type { Counting, Encoding } from "#tokenizer/tokenizer.ts";
import type { TokenCounter, Estimator } from "#cost/estimator.ts";
import type { DefinitionModel, DefinitionTexts } from "#cost/definition-model.ts";
import type { Estimation } from "#cost/estimation.ts";
import { atOnce, countPart, countWithin, once, remembered } from "./bpe.ts";
import type { EstimatorDeps } from "./bpe.ts";

/** A public vocabulary and the factor that brings its counts near a model whose vocabulary is secret. */
export type Scale = {
  readonly encoding: Encoding;
  /** Tokens of the model per token of the vocabulary, at least 1. */
  readonly factor: number;
  /** The same for the JSON of tool definitions, and what having tools at all costs. */
  readonly definitions?: { readonly factor: number; readonly perList: number };
};

/** Counts with a vocabulary and multiplies, rounded to the nearest token. */
export function byScale(
  said: Pick<Estimation, "id" | "confidence" | "error">,
  scale: Scale,
  deps: EstimatorDeps,
): Estimator {
  const { encoding, factor, definitions } = scale;
  const counter = once(() => deps.tokenizer(encoding));
  return {
    ...said,
    method: "bpe-scaled",
    encoding: `${encoding}*${factor}`,
    tokensPerByteMax: Math.ceil(factor),
    ...scaledCounts(counter, factor),
    within: (text, limit) => {
      // The factor is at least 1, so no text within the limit has more base tokens than the limit.
      const base = countWithin(counter(), text, limit);
      const tokens = base === undefined ? Infinity : Math.round(base * factor);
      return tokens <= limit ? tokens : undefined;
    },
    parts: {
      units: (utf8) => countPart(counter(), utf8),
      tokens: (units) => Math.round(units * factor),
    },
    ...(definitions === undefined
      ? {}
      : { definitions: scaledDefinitions(counter, encoding, definitions) }),
  };
}

function scaledDefinitions(
  counter: () => TokenCounter,
  encoding: Encoding,
  scale: { readonly factor: number; readonly perList: number },
): DefinitionModel {
  return {
    encoding: `${encoding}*${scale.factor}`,
    form: asMembers,
    perList: scale.perList,
    ...scaledCounts(counter, scale.factor),
  };
}

/** A definition as the three members of one JSON object, cut where one text ends; absent texts stay empty. */
export function asMembers({ name, description, schema }: DefinitionTexts): DefinitionTexts {
  return {
    name: `{"name":${JSON.stringify(name)}`,
    description: description === "" ? "" : `,"description":${JSON.stringify(description)}`,
    schema: schema === "" ? "" : `,"inputSchema":${schema}}`,
  };
}

function scaledCounts(
  counter: () => TokenCounter,
  factor: number,
): { count(text: string): number; begin(text: string): Counting } {
  return {
    count: remembered((text) => Math.round(counter().count(text) * factor)),
    begin: (text) => {
      const base = counter().begin?.(text) ?? atOnce(() => counter().count(text));
      return {
        advance: (workMax) => base.advance(workMax),
        get tokens(): number {
          return Math.round(base.tokens * factor);
        },
      };
    },
  };
}
