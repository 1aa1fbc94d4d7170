import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { parsePruneOptions, pruneOptionGroups } from "./options.ts";

export const pruneCommand = defineCommand({
  name: "prune",
  summary: "Remove old records and saved answers, and keep their daily totals",
  usage: "mcp-meter prune [--older-than AGE] [--keep-bytes SIZE] [--yes]",
  groups: pruneOptionGroups,
  examples: [
    ["mcp-meter prune --older-than 90d", "list the files that would be removed"],
    ["mcp-meter prune --older-than 90d --keep-bytes 500M --yes", "remove them"],
  ],
  exits: [
    ["0", "the files were listed or removed"],
    ["1", "some files cannot be removed"],
    ["2", "wrong options, or totals that cannot be read or written"],
  ],
  usageExit: exitCodes.usage,
  parse: parsePruneOptions,
  load: async () => (await import("./command.ts")).prune,
});
