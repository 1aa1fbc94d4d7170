import { exitCodes } from "#errors.ts";
import { defineCommand } from "../command.ts";
import { parseReportOptions, reportOptionGroups } from "./options.ts";

/** `report` as the front door uses it. */
export const reportCommand = defineCommand({
  name: "report",
  summary: "Print the summary of record files, of one session or many",
  usage: "mcp-meter report [options] FILE…",
  groups: reportOptionGroups,
  examples: [
    ["mcp-meter report calls.ndjson", "print the summary that a session printed at exit"],
    ['mcp-meter report --json "sessions/**/*.ndjson"', "print all sessions as one JSON object"],
  ],
  exits: [
    ["0", "the summary was printed"],
    ["2", "wrong options, an unreadable file, or no records"],
  ],
  usageExit: exitCodes.usage,
  parse: parseReportOptions,
  load: async () => (await import("./command.ts")).report,
});
