import { UserError } from "#kit/errors.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";
import { flagOption, textOption } from "./values.ts";
import { commandSentences } from "./sentences.ts";

export const exactOptionSpecs: OptionSpecs = {
  exact: {
    describe: "ask the model's maker to count, with your key: Anthropic or Google",
    isFlagOnly: true,
  },
  "exact-url": {
    value: "URL",
    describe: "with --exact: address of the counter, instead of the maker's",
  },
};

export type ExactOptions = { readonly model: string; readonly url: string | undefined };

/** Undefined without `--exact`. Throws UserError when combined with a conflicting option. */
export function parseExactOptions(raw: RawOptions): ExactOptions | undefined {
  if (!flagOption(raw, "exact")) return undefined;
  const model = textOption(raw, "model");
  if (model === undefined) throw new UserError(commandSentences.exactNeedsModel());
  if ((textOption(raw, "tokenizer") ?? "auto") !== "auto") {
    throw new UserError(commandSentences.optionsContradict("--exact", "--tokenizer"));
  }
  return { model, url: textOption(raw, "exact-url") };
}
