import { UserError } from "#kit/errors.ts";
import { formatSuggestion } from "#kit/sentences.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { statusFields } from "#screens/renderers/status-line.ts";
import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { parsePriceOptions, priceOptionSpecs } from "../price-options.ts";
import { readText, rejectArguments } from "../option-values.ts";
import type { StatusLineOptions } from "./command.ts";

const defaultTemplate = "mcp {tokens} · {top} · {cost} · {refused}";

const fieldList = statusFields.map((field) => `{${field}}`).join(", ");

const statuslineOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      template: {
        value: "TEXT",
        description: `the line, with the fields ${fieldList}; " · " separates its parts, and a part whose fields are all empty is left out`,
        default: `"${defaultTemplate}"`,
      },
      ...priceOptionSpecs,
    },
  },
];

const statuslineSentences = {
  fieldUnknown: (field: string, nearest: string | undefined) =>
    `--template: unknown field "${field}"${formatSuggestion(nearest)}; the fields are ${fieldList}`,
} as const;

export function parseStatusLineOptions(args: Arguments): StatusLineOptions {
  const { options, operands, child = [] } = args;
  rejectArguments([...operands, ...child]);
  const requested = readText(options, "template");
  const [unknown] =
    (requested ?? "").match(/\{[^{}]*\}/g)?.filter((field) => !isField(field)) ?? [];
  if (unknown !== undefined) {
    const nearest = findNearestName(unknown.slice(1, -1), statusFields);
    throw new UserError(statuslineSentences.fieldUnknown(unknown, nearest && `{${nearest}}`));
  }
  const prices = parsePriceOptions(options);
  const isCosted = prices.isCosted || requested?.includes("{cost}") === true;
  return { ...prices, isCosted, template: requested ?? defaultTemplate };
}

function isField(text: string): boolean {
  return statusFields.some((field) => text === `{${field}}`);
}

export const statuslineCommand = defineCommand({
  name: "statusline",
  summary: "Print the MCP cost of a session as Claude Code's status line",
  usage: "mcp-meter statusline [options]",
  groups: statuslineOptionGroups,
  examples: [
    ["mcp-meter statusline --cost", "as the command of statusLine in Claude Code's settings.json"],
    ["mcp-meter statusline --template 'MCP {tokens} in {calls}'", "print a different line"],
  ],
  exits: [
    ["0", "the line was printed, or there was nothing to show"],
    ["2", "invalid options or arguments"],
  ],
  isQuiet: true,
  parse: parseStatusLineOptions,
  load: async () => (await import("./command.ts")).printStatusLine,
});
