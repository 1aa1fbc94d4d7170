import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { UserError } from "#kit/errors.ts";
import { estimatorIds, isEstimatorId, type EstimatorId } from "#tokens/estimators/ids.ts";
import { parseAmount } from "#kit/text/numbers.ts";
import type { OptionGroup, RawOptions } from "./command.ts";
import { parseCount, readText } from "./values.ts";
import { commandSentences } from "./sentences.ts";

export type ReaderOptions = {
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly client: string | undefined;
  readonly windowTokens: number | undefined;
};

export const readerOptionGroup: OptionGroup = {
  heading: "Counting",
  options: {
    tokenizer: {
      value: "ID",
      describe: `counting method: auto, ${estimatorIds.join(", ")}`,
      default: "auto",
      choices: ["auto", ...estimatorIds],
      // Gemini CLI passes on no variable with TOKEN in its name.
      variableAlias: "count-with",
    },
    model: {
      value: "NAME",
      describe: "target model; selects tokenizer, image pricing and window",
    },
    client: {
      value: "NAME",
      describe: "count for this client instead of the one that connects",
    },
    window: {
      value: "N",
      describe: "context window in tokens, for shares",
      default: "the model's",
    },
    risk: {
      value: "LOW,MEDIUM,HIGH",
      describe: "upper bounds of low, medium and high risk, in tokens",
      default: "1000,4000,8000",
    },
  },
};

export function parseReaderOptions(raw: RawOptions): ReaderOptions {
  return {
    tokenizer: parseTokenizer(raw),
    model: readText(raw, "model"),
    client: readText(raw, "client"),
    windowTokens: parseCount(raw, "window", 1),
  };
}

export function parseTokenizer(raw: RawOptions): EstimatorId | "auto" {
  const id = readText(raw, "tokenizer") ?? "auto";
  if (id === "auto" || isEstimatorId(id)) return id;
  const wanted = `one of auto, ${estimatorIds.join(", ")}`;
  throw new UserError(commandSentences.optionValue("tokenizer", id, wanted));
}

export function parseRisk(raw: RawOptions): RiskThresholds | undefined {
  const text = readText(raw, "risk");
  if (text === undefined) return undefined;
  const [low = 0, medium = 0, high = 0, ...more] = text
    .split(",")
    .map((bound) => parseAmount(bound.trim()) ?? 0);
  const isRising = 0 < low && low < medium && medium < high && more.length === 0;
  if (isRising) return [low, medium, high];
  const wanted = "three rising numbers of tokens such as 1000,4000,8000";
  throw new UserError(commandSentences.optionValue("risk", text, wanted));
}
