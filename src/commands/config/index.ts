import type { ConfigCommandOptions } from "./config-report.ts";
import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { rejectArguments, readText } from "../option-values.ts";

const configOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      server: {
        value: "NAME",
        description:
          "print the options of this server, from its section of the config and from clients' settings",
      },
      config: {
        value: "FILE",
        description: "read this config file instead of the user's",
        isPath: true,
      },
      ...makeOutputSpecs(documentFormats),
    },
  },
];

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

export const configCommand = defineCommand({
  name: "config",
  summary: "Print the options of mcp-meter run, with the source of each value",
  usage: "mcp-meter config [options] [-- <command> [args…]]",
  groups: configOptionGroups,
  examples: [
    ["mcp-meter config", "print the options that hold for every server"],
    ["mcp-meter config --server github", "print the options with which your clients start github"],
    [
      "mcp-meter config --json -- npx -y some-server",
      "print the options for a server command, as JSON",
    ],
  ],
  exits: [
    ["0", "the options were printed"],
    [
      "1",
      "the options were printed, but the config file of the system or of the user has a mistake, or an option names a file that cannot be used",
    ],
    ["2", "invalid options or variables, or the --config file has a mistake"],
  ],
  parse: parseConfigOptions,
  load: async () => (await import("./config-report.ts")).printConfig,
});
