import { UserError } from "#kit/errors.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { type Arguments, type OptionGroup, defineCommand } from "../command.ts";
import { makeOutputSpecs } from "../output/output-options.ts";
import {
  confirmationOptionSpecs,
  parseSelection,
  type Selection,
  selectionOptionSpecs,
} from "../wrap/options.ts";
import { commandSentences } from "../sentences.ts";
import { settingsExits } from "../wrap/index.ts";

const unwrapOptionGroups: readonly OptionGroup[] = [
  { heading: "Servers", options: { ...selectionOptionSpecs, ...confirmationOptionSpecs } },
  { heading: "Output", options: makeOutputSpecs(documentFormats) },
];

export function parseUnwrapOptions({ options, operands, child }: Arguments): Selection {
  if (child !== undefined) throw new UserError(commandSentences.argumentUnexpected("--"));
  return parseSelection(options, operands);
}

export const unwrapCommand = defineCommand({
  name: "unwrap",
  summary: "Remove mcp-meter from the settings of MCP clients",
  usage: "mcp-meter unwrap [options] [SERVER…|--all]",
  operands: "names",
  groups: unwrapOptionGroups,
  examples: [
    ["mcp-meter unwrap", "print the changes for every server, and ask"],
    ["mcp-meter unwrap --all --yes", "remove mcp-meter everywhere"],
  ],
  exits: settingsExits,
  parse: parseUnwrapOptions,
  load: async () => (await import("../wrap/command.ts")).unwrap,
});
