import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { dashOptionGroups, parseDashOptions } from "./options.ts";

export const dashCommand = defineCommand({
  name: "dash",
  summary: "Show the records of this machine on a local page, live",
  usage: "mcp-meter dash [options]",
  groups: dashOptionGroups,
  examples: [
    ["mcp-meter dash --open", "open the page of the last 30 days in the browser"],
    ["mcp-meter dash --port 8080 --since 7d", "serve the last week on a port of your choice"],
    ["mcp-meter dash --cost", "with list prices of calls"],
  ],
  exits: [
    ["2", "wrong options, a port that is taken, or no place for records is known"],
    ["130", "it was interrupted, which is how it ends"],
  ],
  usageExit: exitCodes.usage,
  parse: parseDashOptions,
  load: async () => (await import("./command.ts")).dash,
});
