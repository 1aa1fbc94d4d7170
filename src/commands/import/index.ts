import { exitCodes } from "#kit/errors.ts";
import { importerIds } from "#history/importers/ids.ts";
import { defineCommand } from "../command.ts";
import { importOptionGroups, parseImportOptions } from "./options.ts";

export const importCommand = defineCommand({
  name: "import",
  summary: "Read the cost of MCP servers in the logs of clients",
  usage: "mcp-meter import [options] [CLIENT…]",
  operands: importerIds,
  groups: importOptionGroups,
  examples: [
    ["mcp-meter import", "all clients that are found in your home folder"],
    ["mcp-meter import --dry-run", "the files that it would read"],
    ["mcp-meter import claude-code --since 30d --json", "one client, as JSON"],
    ["mcp-meter import opencode --server docs", "a client that does not log names of servers"],
  ],
  exits: [
    ["0", "logs were read"],
    ["1", "no logs that were asked for can be read, or their records cannot be written"],
    ["2", "wrong options"],
  ],
  usageExit: exitCodes.usage,
  parse: parseImportOptions,
  load: async () => (await import("./command.ts")).importLogs,
});
