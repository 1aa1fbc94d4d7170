import { defineCommand } from "../command.ts";
import { defaultDays, parseReportOptions, reportOptionGroups } from "./options.ts";

export const reportCommand = defineCommand({
  name: "report",
  summary: "Print which servers, tools and days fill the context, with costs",
  usage: "mcp-meter report [options] [FILE|FOLDER|-]…",
  operands: "files",
  groups: reportOptionGroups,
  examples: [
    ["mcp-meter report", `print the last ${defaultDays} days on one screen`],
    [
      "mcp-meter report --by server --by tool --since 2026-11-01",
      "print the tools of each server since that day",
    ],
    [
      "mcp-meter report --advice --since 30d",
      "print what to change, based on the records of a month",
    ],
    [
      "mcp-meter report --trend",
      `compare the last ${defaultDays} days with the ${defaultDays} days before them`,
    ],
    ["mcp-meter report calls.ndjson", "print a session's exit summary again"],
    [
      "mcp-meter report --json ~/.local/state/mcp-meter/sessions",
      "print the summary of all sessions as one JSON object",
    ],
  ],
  exits: [
    ["0", "the report was printed, or there are no records for the period"],
    ["2", "invalid options, an unreadable file, or FILEs without records"],
  ],
  parse: parseReportOptions,
  load: async () => (await import("./command.ts")).report,
});
