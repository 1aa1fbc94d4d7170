import { sentences, UserError } from "#errors.ts";
import { documentFormats, type DocumentFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { textOption } from "../values.ts";

/** Options of `config`, as help groups them. */
export const configOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      server: {
        value: "NAME",
        describe: "print the options of this server, with its section",
        names: "server",
      },
      config: {
        value: "FILE",
        describe: "read this file in place of the user's own",
        isPath: true,
      },
      ...outputOptionSpecs(documentFormats),
    },
  },
];

/** The parsed arguments of `config`. */
export type ConfigCommandOptions = Output<DocumentFormat> & {
  readonly server: string | undefined;
  readonly config: string | undefined;
  /** The command of the server; undefined without one. */
  readonly command: readonly string[] | undefined;
};

/** Throws UserError that names the first mistake. */
export function parseConfigOptions(args: Arguments): ConfigCommandOptions {
  const { options, operands, child } = args;
  const [first] = operands;
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  return {
    server: textOption(options, "server"),
    config: textOption(options, "config"),
    command: child?.length === 0 ? undefined : child,
    ...parseOutput(options, documentFormats),
  };
}
