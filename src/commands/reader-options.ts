import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { estimatorIds, type EstimatorId } from "#tokens/estimators/ids.ts";
import { parseAmount } from "#kit/text/numbers.ts";
import type { OptionGroup, RawOptions } from "./command.ts";
import { parseOption, parseChoice, parseCount, readText } from "./option-values.ts";

export type ReaderOptions = {
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly client: string | undefined;
  readonly windowTokens: number | undefined;
};

export const readerOptionGroup: OptionGroup = {
  heading: "Counting",
  rare: ["tokenizer", "as-client", "window", "risk", "calibration"],
  options: {
    tokenizer: {
      value: "ID",
      description: `counting method: auto, ${estimatorIds.join(", ")}`,
      default: "auto",
      choices: ["auto", ...estimatorIds],
      // Gemini CLI does not pass a variable to servers if its name contains TOKEN.
      variableAlias: "count-with",
    },
    model: {
      value: "NAME",
      description: "target model; selects tokenizer, image pricing, window",
    },
    "as-client": {
      value: "NAME",
      formerName: "client",
      description: "count for this client instead of the one that connects",
    },
    window: {
      value: "N",
      description: "size of the context window in tokens; shares are computed from it",
      default: "the model's",
    },
    risk: {
      value: "LOW,MEDIUM,HIGH",
      description: "upper bounds of low, medium and high risk, in tokens of an answer",
      default: "1000,4000,8000",
    },
  },
};

export function parseReaderOptions(raw: RawOptions): ReaderOptions {
  return {
    tokenizer: parseTokenizer(raw),
    model: readText(raw, "model"),
    client: readText(raw, "as-client"),
    windowTokens: parseCount(raw, "window", 1),
  };
}

const tokenizers = ["auto", ...estimatorIds] as const;

export function parseTokenizer(raw: RawOptions): EstimatorId | "auto" {
  return parseChoice(raw, "tokenizer", tokenizers) ?? "auto";
}

export function parseRisk(raw: RawOptions): RiskThresholds | undefined {
  const wanted = "three increasing numbers of tokens such as 1000,4000,8000";
  return parseOption(raw, "risk", parseThresholds, wanted);
}

function parseThresholds(text: string): RiskThresholds | undefined {
  const [low = 0, medium = 0, high = 0, ...more] = text
    .split(",")
    .map((bound) => parseAmount(bound.trim()) ?? 0);
  const isRising = 0 < low && low < medium && medium < high && more.length === 0;
  return isRising ? [low, medium, high] : undefined;
}
