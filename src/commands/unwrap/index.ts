import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { changeExits } from "../wrap/index.ts";
import { parseUnwrapOptions, unwrapOptionGroups } from "./options.ts";

export const unwrapCommand = defineCommand({
  name: "unwrap",
  summary: "Take mcp-meter out of the settings of MCP clients, byte for byte",
  usage: "mcp-meter unwrap [--client NAME|--file FILE] [SERVER…|--all] [--yes]",
  operands: "names",
  groups: unwrapOptionGroups,
  examples: [
    ["mcp-meter unwrap", "print the changes for every server, and ask"],
    ["mcp-meter unwrap --all --yes", "take mcp-meter out everywhere"],
  ],
  exits: changeExits,
  usageExit: exitCodes.usage,
  parse: parseUnwrapOptions,
  load: async () => (await import("../wrap/command.ts")).unwrap,
});
