import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { parseRecordOptions, recordOptionGroups } from "./options.ts";

export const recordCommand = defineCommand({
  name: "record",
  summary: "Record the calls of a session as a calls file for check",
  usage: "mcp-meter record --output FILE -- <command> [args…]",
  groups: recordOptionGroups,
  examples: [
    [
      "mcp-meter record --output calls.yaml -- ./server",
      "in the config of a client: record its calls, which check --calls plays",
    ],
  ],
  exits: [
    ["0…", "the server's own exit code, or 128 + n when signal n ended it"],
    ["125", "wrong options, or a file that cannot be written"],
    ["126", "the server's command is not executable"],
    ["127", "the server's command was not found"],
  ],
  usageExit: exitCodes.runFailed,
  parse: parseRecordOptions,
  load: async () => (await import("./command.ts")).record,
});
