import { estimatorIds, type EstimatorId } from "#estimators/index.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { tokenizerOption } from "../run/options.ts";
import { countOption, flagOption, textOption } from "../values.ts";

/** Options of `count` as a person writes them. */
export const countOptionSpecs: OptionSpecs = {
  tokenizer: { value: "ID", describe: `how to count: auto (default), ${estimatorIds.join(", ")}` },
  model: { value: "NAME", describe: "model that reads: chooses the tokenizer" },
  limit: { value: "N", describe: "end with 1 when there are more tokens than that, all together" },
  json: { describe: "one JSON object instead of a number or a table" },
};

/** Options of `count`, understood. */
export type CountOptions = {
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly tokensMax: number | undefined;
  readonly isJson: boolean;
};

/** Throws UserError naming the first option that cannot be read. */
export function parseCountOptions(raw: RawOptions): CountOptions {
  return {
    tokenizer: tokenizerOption(raw),
    model: textOption(raw, "model"),
    tokensMax: countOption(raw, "limit", 0),
    isJson: flagOption(raw, "json"),
  };
}
