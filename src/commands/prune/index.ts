import { UserError } from "#kit/errors.ts";
import { defineCommand, type Arguments, type OptionGroup, makeCommandFlag } from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { importerIds } from "#history/importers/ids.ts";
import {
  makeConflict,
  parseRetention,
  readFlag,
  readList,
  rejectArguments,
  requireChoice,
} from "../option-values.ts";
import type { PruneOptions } from "./command.ts";

const pruneOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Files",
    options: {
      "older-than": {
        value: "AGE",
        description: "remove files not changed for this long, such as 90d, 4w or 24h",
        isCommandLineOnly: true,
      },
      "keep-bytes": {
        value: "SIZE",
        description: "remove the oldest files until the rest has at most this size, such as 500M",
        isCommandLineOnly: true,
      },
      imported: {
        value: "NAME",
        description:
          "remove only imports of this client: all of them unless --older-than or --keep-bytes is passed",
        isRepeatable: true,
        choices: importerIds,
        isCommandLineOnly: true,
      },
      yes: makeCommandFlag("remove the files; otherwise they are only listed"),
      "dry-run": makeCommandFlag("list the files without removing any"),
      automatic: makeCommandFlag(
        "remove files as mcp-meter does by itself after a session: at most 1,000, no imported ones, and none if every file is old, because then the clock may be wrong",
      ),
    },
  },
  { heading: "Output", options: makeOutputSpecs(documentFormats) },
];

export function parsePruneOptions({ options, operands, child = [] }: Arguments): PruneOptions {
  rejectArguments([...operands, ...child]);
  const retention = parseRetention(options, { age: "older-than", size: "keep-bytes" });
  const imported = readList(options, "imported").map((name) =>
    requireChoice("imported", name, importerIds),
  );
  const hasRule = retention.olderThanMs !== undefined || retention.keepBytes !== undefined;
  if (!hasRule && imported.length === 0) throw new UserError(ruleMissing);
  if (readFlag(options, "dry-run") && readFlag(options, "yes"))
    throw makeConflict("--dry-run", "--yes");
  if (readFlag(options, "automatic") && imported.length > 0)
    throw makeConflict("--automatic", "--imported");
  return {
    retention,
    imported,
    isConfirmed: readFlag(options, "yes"),
    isAutomatic: readFlag(options, "automatic"),
    ...parseOutput(options, documentFormats),
  };
}

const ruleMissing = `missing rule; pass --older-than AGE, --keep-bytes SIZE or --imported NAME, as in "mcp-meter prune --older-than 90d"`;

export const pruneCommand = defineCommand({
  name: "prune",
  summary: "Remove old records and saved answers; daily totals stay",
  usage: "mcp-meter prune [--older-than AGE] [--keep-bytes SIZE] [--imported NAME] [--yes]",
  groups: pruneOptionGroups,
  examples: [
    ["mcp-meter prune --older-than 90d", "list the files that would be removed"],
    [
      "mcp-meter prune --older-than 90d --keep-bytes 500M --yes",
      "remove them, and the oldest files beyond 500 MB",
    ],
    ["mcp-meter prune --imported codex --yes", "forget the imports of one client"],
  ],
  exits: [
    ["0", "the files were listed or removed"],
    ["1", "some files cannot be removed, or some folders cannot be read"],
    ["2", "invalid options, or totals that cannot be read or written"],
  ],
  parse: parsePruneOptions,
  load: async () => (await import("./command.ts")).prune,
});
