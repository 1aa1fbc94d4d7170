import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { configOptionGroups, parseConfigOptions } from "./options.ts";

export const configCommand = defineCommand({
  name: "config",
  summary: "Print the options of run, and where each value comes from",
  usage: "mcp-meter config [options] [-- <command> [args…]]",
  groups: configOptionGroups,
  examples: [
    ["mcp-meter config", "print the options of every server"],
    ["mcp-meter config --server github", "print the options with which your clients start it"],
    ["mcp-meter config --json -- npx -y some-server", "the options of an unnamed server"],
  ],
  exits: [
    ["0", "the options were printed"],
    ["1", "they were printed, but a file has a mistake, or a named file cannot be used"],
    ["2", "wrong options or variables, or the --config file has a mistake"],
  ],
  usageExit: exitCodes.usage,
  parse: parseConfigOptions,
  load: async () => (await import("./config-report.ts")).printConfig,
});
