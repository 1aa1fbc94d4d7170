import type { DefinitionModel, DefinitionTexts } from "#cost/definition-model.ts";
import type { Estimation } from "#cost/estimation.ts";
import type { Estimator, TokenCounter } from "#cost/estimator.ts";
import type { Encoding } from "#tokenizer/tokenizer.ts";
import { vocabularyLineBound } from "./bpe.ts";
import type { EstimatorDeps } from "./deps.ts";
import { remembered } from "./remembered.ts";

/** A public vocabulary, and the factor that approximates a model whose vocabulary is secret. */
export type Scale = {
  readonly encoding: Encoding;
  /** Tokens of the model per token of the vocabulary, at least 1. */
  readonly factor: number;
  /** The factor for the JSON of tool definitions, and the tokens of having any tool at all. */
  readonly definitions?: { readonly factor: number; readonly perList: number };
};

/** Counts with a vocabulary and multiplies by a factor, rounded to the nearest token. */
export function byScale(
  declared: Pick<Estimation, "id" | "confidence" | "error">,
  { encoding, factor, definitions }: Scale,
  deps: EstimatorDeps,
): Estimator {
  const counter = (): TokenCounter => deps.tokenizer(encoding);
  return {
    ...declared,
    method: "bpe-scaled",
    encoding: `${encoding}*${factor}`,
    tokensPerTextByteMax: Math.ceil(factor),
    tokensPerLineByteMax: Math.ceil(factor * vocabularyLineBound),
    ...scaledCounts(counter, factor),
    within: (text, limit) => {
      // The factor is at least 1: a text within the limit has at most as many unscaled tokens.
      const unscaled = counter().within(text, limit);
      const tokens = unscaled === undefined ? Infinity : Math.round(unscaled * factor);
      return tokens <= limit ? tokens : undefined;
    },
    parts: {
      units: (utf8) => counter().countBytes(utf8),
      tokens: (units) => Math.round(units * factor),
    },
    ...(definitions && { definitions: scaledDefinitions(counter, encoding, definitions) }),
  };
}

/** A definition as the members of one JSON object, in three texts; an absent text stays empty. */
export function asMembers({ name, description, schema }: DefinitionTexts): DefinitionTexts {
  return {
    name: `{"name":${JSON.stringify(name)}`,
    description: description === "" ? "" : `,"description":${JSON.stringify(description)}`,
    schema: schema === "" ? "" : `,"inputSchema":${schema}}`,
  };
}

function scaledDefinitions(
  counter: () => TokenCounter,
  encoding: Encoding,
  { factor, perList }: { readonly factor: number; readonly perList: number },
): DefinitionModel {
  return {
    encoding: `${encoding}*${factor}`,
    form: asMembers,
    perList,
    ...scaledCounts(counter, factor),
  };
}

function scaledCounts(
  counter: () => TokenCounter,
  factor: number,
): Required<Pick<Estimator, "count" | "begin">> {
  return {
    count: remembered((text) => Math.round(counter().count(text) * factor)),
    begin: (text) => {
      const unscaled = counter().begin(text);
      return {
        advance: (workMax) => unscaled.advance(workMax),
        get tokens(): number {
          return Math.round(unscaled.tokens * factor);
        },
      };
    },
  };
}
