import { UserError } from "#kit/errors.ts";
import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { parseServerCommand } from "../connection-options.ts";
import { printOptionSpecs } from "../output/output-options.ts";
import { readText } from "../option-values.ts";
import { commandSentences, exampleCommand } from "../sentences.ts";
import type { RecordOptions } from "./command.ts";

const recordOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Output",
    options: {
      output: {
        ...printOptionSpecs.output,
        description: "YAML file for the recorded calls; it contains the arguments of every call",
      },
    },
  },
];

export function parseRecordOptions(args: Arguments): RecordOptions {
  const command = parseServerCommand(args, recordOptionSentences.serverMissing());
  const file = readText(args.options, "output");
  if (file === undefined) throw new UserError(recordOptionSentences.recordWithoutFile());
  if (/\.ya?ml$/i.test(file)) return { command, file };
  throw new UserError(
    commandSentences.optionValue("output", file, "a name that ends in .yaml or .yml"),
  );
}

const recordOptionSentences = {
  serverMissing: () =>
    `missing server; put its command after --, as in "mcp-meter record --output calls.yaml -- ${exampleCommand}"`,
  recordWithoutFile: () =>
    `missing file; name it with --output, as in "mcp-meter record --output calls.yaml -- ${exampleCommand}"`,
} as const;

export const recordCommand = defineCommand({
  name: "record",
  summary: "Record a session's calls in a file for mcp-meter check",
  usage: "mcp-meter record --output FILE -- <command> [args…]",
  groups: recordOptionGroups,
  examples: [
    ["mcp-meter record --output calls.yaml -- ./server", "record calls to use with check --calls"],
  ],
  exits: [
    ["0…", "the server's own exit code, or 128 + n when signal n ended it"],
    ["2", "invalid options, or a file that cannot be written"],
    ["126", "the server's command is not executable"],
    ["127", "the server's command was not found"],
  ],
  parse: parseRecordOptions,
  load: async () => (await import("./command.ts")).record,
});
