import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { run } from "./command.ts";
import { userHeaderOption } from "./identity-options.ts";
import { parseRunOptions, runOptionGroups } from "./options.ts";

export const runCommand = defineCommand({
  name: "run",
  summary: "Run an MCP server behind the meter (the default command)",
  usage: "mcp-meter [run] [options] -- <command> [args…]",
  groups: runOptionGroups,
  examples: [
    ["mcp-meter -- npx -y @modelcontextprotocol/server-memory", "meter a server"],
    ["mcp-meter --budget search=2000 --budget 100k/session -- ./server", "stop costly calls"],
    ["mcp-meter --summary markdown --summary-file cost.md -- ./server", "save the summary"],
    [
      "mcp-meter --model claude-opus-5 --log calls.ndjson -- ./server",
      "count for one model, and log each call",
    ],
    ["mcp-meter --hide 'admin_*' -- ./server", "hide tools"],
  ],
  exits: [
    ["0…", "the server's own exit code, or 128 + n when signal n ended it"],
    ["1", "replaces 0 if a limit or lock took effect, or a hidden tool was called"],
    ["125", "invalid options, or mcp-meter itself failed"],
    ["126", "the server's command is not executable"],
    ["127", "the server's command was not found"],
  ],
  usageErrorExitCode: exitCodes.runFailed,
  readsConfig: true,
  ignoredInConfig: { "user-header": userHeaderOption },
  parse: parseRunOptions,
  // The command is imported statically, because every session waits for it.
  load: async () => run,
});
