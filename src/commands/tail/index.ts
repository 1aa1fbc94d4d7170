import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { parseTailOptions, tailOptionGroups } from "./options.ts";

export const tailCommand = defineCommand({
  name: "tail",
  summary: "Follow the calls of all sessions on this machine live",
  usage: "mcp-meter tail [options]",
  groups: tailOptionGroups,
  examples: [
    ["mcp-meter tail", "print the last 10 calls, then each call as it ends"],
    ["mcp-meter tail --server github --tool 'search_*'", "follow some tools of one server"],
    ["mcp-meter tail -n 0 --json | jq -r .tool", "process new calls with another program"],
  ],
  exits: [
    ["0", "the reader closed the output, as in mcp-meter tail | head"],
    ["2", "wrong options, or no known folder for records"],
    ["130", "it was interrupted"],
  ],
  usageExit: exitCodes.usage,
  parse: parseTailOptions,
  load: async () => (await import("./command.ts")).tail,
});
