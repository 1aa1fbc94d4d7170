import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { budgetsOptionGroups, parseBudgetsOptions } from "./options.ts";

export const budgetsCommand = defineCommand({
  name: "budgets",
  summary: "Print and reset the budgets per minute, hour, day, week and month",
  usage: "mcp-meter budgets [options]",
  groups: budgetsOptionGroups,
  examples: [
    ["mcp-meter budgets", "print every shared budget counter"],
    ["mcp-meter budgets --counters redis://cache.example", "print those of a Redis"],
    ["mcp-meter budgets --reset 'fetch_*'", "reset the counters of some tools"],
  ],
  exits: [
    ["0", "the counters were printed"],
    ["2", "wrong options, unreadable counters, or nothing to reset"],
  ],
  usageExit: exitCodes.usage,
  parse: parseBudgetsOptions,
  load: async () => (await import("./command.ts")).budgets,
});
