import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { type Output, makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { rejectArguments, readText } from "../values.ts";

export const configOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      server: {
        value: "NAME",
        describe: "print the options of this server, from its section and from clients' settings",
      },
      config: {
        value: "FILE",
        describe: "read this file instead of the user's",
        isPath: true,
      },
      ...makeOutputSpecs(documentFormats),
    },
  },
];

export type ConfigCommandOptions = Output<DocumentFormat> & {
  readonly server: string | undefined;
  readonly config: string | undefined;
  readonly command: readonly string[] | undefined;
};

export function parseConfigOptions(args: Arguments): ConfigCommandOptions {
  const { options, operands, child } = args;
  rejectArguments(operands);
  return {
    server: readText(options, "server"),
    config: readText(options, "config"),
    command: child?.length === 0 ? undefined : child,
    ...parseOutput(options, documentFormats),
  };
}
