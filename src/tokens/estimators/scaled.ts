import type {
  DefinitionFormula,
  DefinitionTexts,
  Estimation,
  Estimator,
  TokenCounter,
} from "../cost/estimator.ts";
import {
  looksLikeJson,
  parseDocument,
  parsedJsonCharactersMax,
} from "../cost/answer-overhead/overhead.ts";
import type { Encoding } from "../tokenizer/tokenizer.ts";
import { vocabularyTokensPerLineByteMax, type EstimatorDeps, memoizeCount } from "./bpe.ts";
import type { CalibratedModel } from "./user-calibration.ts";

type Scale = {
  readonly encoding: Encoding;
  readonly factor: number;
  readonly jsonFactor?: number;
  readonly definitions?: {
    readonly structureFactor: number;
    readonly descriptionsFactor: number;
    readonly tokensPerList: number;
  };
};

// A user's calibration leaves the factors for definitions unchanged: the logs behind it contain no definitions.
export function makeScaledEstimator(
  description: Pick<Estimation, "id" | "confidence" | "error">,
  { encoding, definitions, ...textScale }: Scale,
  deps: EstimatorDeps,
): Estimator {
  const { calibrated } = deps;
  const factor = calibrateFactor(textScale.factor, calibrated);
  const jsonFactor = calibrateFactor(textScale.jsonFactor ?? textScale.factor, calibrated);
  const getCounter = (): TokenCounter => deps.loadTokenizer(encoding);
  const pickFactor = (text: string): number =>
    jsonFactor !== factor && isJsonText(text) ? jsonFactor : factor;
  const scale: ScaleTokens = (tokens, text) =>
    limitToBytes(Math.round(tokens * pickFactor(text)), text);
  return {
    ...description,
    ...(calibrated && { error: describeError(calibrated) }),
    method: "bpe-scaled",
    encoding: `${encoding}*${jsonFactor === factor ? factor : `${factor}, JSON *${jsonFactor}`}`,
    tokensPerTextByteMax: Math.ceil(jsonFactor),
    tokensPerLineByteMax: Math.ceil(jsonFactor * vocabularyTokensPerLineByteMax),
    ...scaleCounts(getCounter, scale),
    countWithin: (text, limit) => {
      // Both factors are at least 1, so a text with more than `limit` unscaled tokens is over the limit.
      const unscaled = getCounter().countWithin(text, limit);
      const tokens = unscaled === undefined ? Infinity : scale(unscaled, text);
      return tokens <= limit ? tokens : undefined;
    },
    chunks: {
      countUnits: (utf8) => getCounter().countBytes(utf8),
      toTokens: (units, bytes, isJson) =>
        Math.min(bytes, Math.round(units * (isJson ? jsonFactor : factor))),
    },
    ...(definitions && { definitions: scaleDefinitions(getCounter, encoding, definitions) }),
  };
}

// A calibrated factor is at least 1, as `countWithin` requires. Like `calibrated.scale`, it has at most three decimals.
function calibrateFactor(factor: number, calibrated: CalibratedModel | undefined): number {
  return calibrated ? Math.max(1, Math.round(factor * calibrated.scale * 1_000) / 1_000) : factor;
}

function describeError({ scale, clean_steps, client, median_error }: CalibratedModel): string {
  const requests = `${clean_steps} model ${clean_steps === 1 ? "request" : "requests"} in the logs of ${client}`;
  return `scaled by ${scale}, as measured with ${requests}; median error ${Math.round(median_error * 100)} %`;
}

function formatMembers({ name, description, schema }: DefinitionTexts): DefinitionTexts {
  return {
    name: `{"name":${JSON.stringify(name)}`,
    description: description === "" ? "" : `,"description":${JSON.stringify(description)}`,
    schema: schema === "" ? "" : `,"inputSchema":${schema}}`,
  };
}

function scaleDefinitions(
  getCounter: () => TokenCounter,
  encoding: Encoding,
  { structureFactor, descriptionsFactor, tokensPerList }: NonNullable<Scale["definitions"]>,
): DefinitionFormula {
  return {
    encoding: `${encoding}*${structureFactor}+${descriptionsFactor}`,
    formatTexts: formatMembers,
    tokensPerList,
    count: memoizeCount((text) => getCounter().count(text)),
    begin: (text) => getCounter().begin(text),
    combineTokens: (counted) =>
      Math.round(
        structureFactor * Math.max(0, counted.all - counted.descriptions) +
          descriptionsFactor * Math.min(counted.all, counted.descriptions),
      ),
  };
}

type ScaleTokens = (tokens: number, text: string) => number;

// A text has at most one token per byte. Scaling could exceed that for dense texts such as base64.
function limitToBytes(tokens: number, text: string): number {
  return tokens <= text.length ? tokens : Math.min(tokens, Buffer.byteLength(text));
}

function scaleCounts(
  getCounter: () => TokenCounter,
  scale: ScaleTokens,
): Required<Pick<Estimator, "count" | "begin">> {
  return {
    count: memoizeCount((text) => scale(getCounter().count(text), text)),
    begin: (text) => {
      const unscaled = getCounter().begin(text);
      return {
        advance: (workMax) => unscaled.advance(workMax),
        get tokens(): number {
          return scale(unscaled.tokens, text);
        },
      };
    },
  };
}

export function isJsonText(text: string): boolean {
  if (text.length > parsedJsonCharactersMax) return looksLikeJson(text);
  return parseDocument(text) !== undefined;
}
