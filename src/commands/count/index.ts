import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { countOptionGroups, parseCountOptions } from "./options.ts";

export const countCommand = defineCommand({
  name: "count",
  summary: "Count the tokens of files or stdin",
  usage: "mcp-meter count [options] [FILE…]",
  operands: "files",
  groups: countOptionGroups,
  examples: [
    ["mcp-meter count answer.json", "print the number alone"],
    ["git diff | mcp-meter count --limit 8000", "exit with 1 when there are more tokens"],
    [
      "mcp-meter count --exact --model claude-opus-5 prompt.md",
      "ask Anthropic, with the key in ANTHROPIC_API_KEY",
    ],
    ["mcp-meter count --model claude-opus-5 docs/*.md", "print a table with a total"],
  ],
  exits: [
    ["0", "the tokens were printed"],
    ["1", "there are more tokens than --limit"],
    ["2", "wrong options, an unreadable file, or no key for --exact"],
    ["3", "the counter of --exact did not answer"],
  ],
  usageExit: exitCodes.usage,
  parse: parseCountOptions,
  load: async () => (await import("./command.ts")).count,
});
