import { defineCommand } from "../command.ts";
import { parseWrapOptions, wrapOptionGroups } from "./options.ts";

export const settingsExits = [
  ["0", "the changes were made, shown or declined, or there was nothing to change"],
  ["1", "something was refused, not found, unreadable or unwritable"],
  ["2", "invalid options or arguments"],
] as const;

export const wrapCommand = defineCommand({
  name: "wrap",
  summary: "Put mcp-meter in front of the servers in clients' settings",
  usage: "mcp-meter wrap [options] [SERVER…|--all] [-- options of run]",
  operands: "names",
  passesOptionsTo: "run",
  groups: wrapOptionGroups,
  examples: [
    ["mcp-meter wrap", "print the changes for every server, and ask"],
    ["mcp-meter wrap --list", "list the servers of all clients"],
    ["mcp-meter wrap memory --yes -- --budget 100k/session", "one server, with a budget"],
    ["mcp-meter wrap --remote", "remote servers as well, through mcp-remote"],
    ["mcp-meter wrap --settings-of claude-code --all --yes", "every server of one client"],
  ],
  exits: settingsExits,
  parse: parseWrapOptions,
  load: async () => (await import("./command.ts")).wrap,
});
