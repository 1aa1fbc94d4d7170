import { UserError } from "#kit/errors.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { serverCommand } from "../server/server-options.ts";
import { textOption } from "../values.ts";
import { recordSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";

export const recordOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Output",
    options: {
      output: {
        value: "FILE",
        describe: "calls file to write, in YAML; it holds the arguments of every call",
        isFlagOnly: true,
        short: "o",
        isPath: true,
      },
    },
  },
];

export type RecordOptions = { readonly command: readonly string[]; readonly file: string };

export function parseRecordOptions(args: Arguments): RecordOptions {
  const command = serverCommand(args, recordSentences.serverMissing("record"));
  const file = textOption(args.options, "output");
  if (file === undefined) throw new UserError(recordSentences.recordWithoutFile());
  if (/\.ya?ml$/i.test(file)) return { command, file };
  throw new UserError(commandSentences.optionValue("output", file, "a name that ends in .yaml"));
}
