import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { mcpOptionGroups, parseMcpOptions } from "./options.ts";

export const mcpCommand = defineCommand({
  name: "mcp",
  summary: "Serve usage, budgets and advice to an agent, as an MCP server",
  usage: "mcp-meter mcp [options]",
  groups: mcpOptionGroups,
  examples: [
    ["claude mcp add mcp-meter -- mcp-meter mcp", "let Claude Code ask about its usage"],
    [
      "mcp-meter mcp --cost --timezone Europe/Berlin",
      "serve a client that starts this command, with dollars",
    ],
  ],
  exits: [
    ["0", "the client has left"],
    ["2", "wrong options, or stdin cannot be read"],
  ],
  usageExit: exitCodes.usage,
  parse: parseMcpOptions,
  load: async () => (await import("./command.ts")).mcp,
});
