import { sentences, UserError } from "#errors.ts";
import { estimatorIds, isEstimatorId, type EstimatorId } from "#estimators/index.ts";
import { riskThresholdsDefault, type RiskThresholds } from "#cost/risk.ts";
import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import { type BudgetOptions, budgetOptionSpecs, parseBudgetOptions } from "./budget-options.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { choiceOption, countOption, flagOption, textOption } from "../values.ts";

/** Options of `run` as a person writes them. */
export const runOptionSpecs: OptionSpecs = {
  server: { value: "NAME", describe: "label in records (default: the server's own name)" },
  tokenizer: { value: "ID", describe: `how to count: auto (default), ${estimatorIds.join(", ")}` },
  model: { value: "NAME", describe: "model that reads: chooses tokenizer, image rule and window" },
  client: { value: "NAME", describe: "client to count for, instead of the one that connects" },
  window: { value: "N", describe: "context window in tokens, for shares (default: by model)" },
  risk: {
    value: "LOW,MEDIUM,HIGH",
    describe: "risk thresholds in tokens (default 1000,4000,8000)",
  },
  ...budgetOptionSpecs,
  log: {
    value: "FILE",
    describe: "records: a file, - for stderr, or off (default: a new file per session)",
  },
  annotate: { describe: "add what it cost to each result's _meta, for clients that show it" },
  "log-fsync": { describe: "have every record on the disk before the next" },
  summary: { value: "FORMAT", describe: `printed at exit: ${documentFormats.join(", ")}, off` },
  "summary-file": { value: "FILE", describe: "write the summary to a file instead of stderr" },
  "exit-code": {
    value: "RULE",
    describe: "auto (default) or child: the server's own code, always",
  },
  config: { value: "FILE", describe: "options from a JSON file with comments" },
};

/** Options of `run`, understood. */
export type RunOptions = BudgetOptions & {
  readonly server: string | undefined;
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly client: string | undefined;
  readonly windowTokens: number | undefined;
  readonly risk: RiskThresholds;
  readonly log: string | undefined;
  readonly isAnnotating: boolean;
  readonly isLogSynced: boolean;
  readonly summary: DocumentFormat | "off";
  readonly summaryFile: string | undefined;
  readonly exitCode: "auto" | "child";
};

/** Throws UserError naming the first option that cannot be read. */
export function parseRunOptions(raw: RawOptions): RunOptions {
  return {
    ...parseBudgetOptions(raw),
    server: textOption(raw, "server"),
    tokenizer: tokenizerOption(raw),
    model: textOption(raw, "model"),
    client: textOption(raw, "client"),
    windowTokens: countOption(raw, "window", 1),
    risk: riskOption(raw),
    log: textOption(raw, "log"),
    isAnnotating: flagOption(raw, "annotate"),
    isLogSynced: flagOption(raw, "log-fsync"),
    summary: choiceOption(raw, "summary", [...documentFormats, "off"]) ?? "table",
    summaryFile: textOption(raw, "summary-file"),
    exitCode: choiceOption(raw, "exit-code", ["auto", "child"]) ?? "auto",
  };
}

export function tokenizerOption(raw: RawOptions): EstimatorId | "auto" {
  const id = textOption(raw, "tokenizer") ?? "auto";
  if (id === "auto" || isEstimatorId(id)) return id;
  const wanted = `one of auto, ${estimatorIds.join(", ")}`;
  throw new UserError(sentences.optionValue("tokenizer", id, wanted));
}

export function riskOption(raw: RawOptions): RiskThresholds {
  const text = textOption(raw, "risk");
  if (text === undefined) return riskThresholdsDefault;
  const [low, medium, high, ...more] = text.split(",").map((part) => Number(part.trim() || "x"));
  if (low !== undefined && medium !== undefined && high !== undefined && more.length === 0) {
    const isRising = 0 < low && low < medium && medium < high;
    if (isRising && [low, medium, high].every(Number.isSafeInteger)) return [low, medium, high];
  }
  const wanted = "three rising numbers of tokens such as 1000,4000,8000";
  throw new UserError(sentences.optionValue("risk", text, wanted));
}
