import { sentences, UserError } from "#errors.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { serverCommand } from "../server/server-options.ts";
import { textOption } from "../values.ts";

/** Options of `record`, as help groups them. */
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

/** The parsed arguments of `record`. */
export type RecordOptions = { readonly command: readonly string[]; readonly file: string };

/** Throws UserError that names the first mistake. */
export function parseRecordOptions(args: Arguments): RecordOptions {
  const command = serverCommand(args, sentences.serverMissing("record"));
  const file = textOption(args.options, "output");
  if (file === undefined) throw new UserError(sentences.recordWithoutFile());
  if (/\.ya?ml$/i.test(file)) return { command, file };
  throw new UserError(sentences.optionValue("output", file, "a name that ends in .yaml"));
}
