import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { parsePriceOptions, priceOptionSpecs } from "../price-options.ts";
import { timezoneOption } from "../report/options.ts";
import { rejectArguments, readText } from "../option-values.ts";
import type { McpOptions } from "./command.ts";

const mcpOptionGroups: readonly OptionGroup[] = [
  { heading: "Answers", options: { timezone: timezoneOption, ...priceOptionSpecs } },
];

export function parseMcpOptions({ options, operands, child = [] }: Arguments): McpOptions {
  rejectArguments([...operands, ...child]);
  return { timezone: readText(options, "timezone"), ...parsePriceOptions(options) };
}

export const mcpCommand = defineCommand({
  name: "mcp",
  summary: "Serve usage, budgets and advice to an agent, as an MCP server",
  usage: "mcp-meter mcp [options]",
  groups: mcpOptionGroups,
  examples: [
    ["claude mcp add mcp-meter -- mcp-meter mcp", "let Claude Code ask about its usage"],
    ["mcp-meter mcp --cost --timezone Europe/Berlin", "with costs in dollars"],
  ],
  exits: [
    ["0", "the client disconnected"],
    ["2", "invalid options, or stdin cannot be read"],
  ],
  parse: parseMcpOptions,
  load: async () => (await import("./command.ts")).serveMcp,
});
