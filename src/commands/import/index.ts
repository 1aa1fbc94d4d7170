import { exitCodes, UserError } from "#kit/errors.ts";
import { importerIds } from "#history/importers/ids.ts";
import { defineCommand, type Arguments, type OptionGroup, type RawOptions } from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { commandSentences } from "../sentences.ts";
import { timezoneOption } from "../report/options.ts";
import { makeRangeSpecs, parseRangeBound } from "../range-options.ts";
import { readFlag, readText } from "../values.ts";
import { logOptionGroup, parseLogOptions } from "./read-clients.ts";
import type { ImportOptions } from "./command.ts";

const importOptionGroups: readonly OptionGroup[] = [
  logOptionGroup,
  {
    heading: "Period",
    options: { ...makeRangeSpecs("everything in the logs"), timezone: timezoneOption },
  },
  {
    heading: "Output",
    options: {
      "no-tokens": {
        description: "do not count the tokens of answers, which takes most of the time",
        isCommandLineOnly: true,
      },
      "dry-run": {
        description: "print the files that would be read, without opening them",
        isCommandLineOnly: true,
      },
      list: {
        description: "print all clients, and the folders searched for their logs",
        isCommandLineOnly: true,
      },
      log: {
        value: "FILE",
        description: "write records to FILE instead of where report reads them; off for none",
        default: "one file per conversation; none with --no-tokens",
        isPath: true,
        // MCP_METER_LOG names the file of a session.
        isCommandLineOnly: true,
      },
      names: {
        formerName: "projects",
        description:
          "name projects by the last part of their folder, in later imports too; otherwise they are hashed",
        isCommandLineOnly: true,
      },
      "no-names": { description: "hash the names of projects again", isCommandLineOnly: true },
      ...makeOutputSpecs(documentFormats),
    },
  },
];

function parseNames(options: RawOptions): boolean | undefined {
  const [named, hashed] = [readFlag(options, "names"), readFlag(options, "no-names")];
  if (named && hashed)
    throw new UserError(commandSentences.optionsContradict("--names", "--no-names"));
  return named || hashed ? named : undefined;
}

export function parseImportOptions(args: Arguments): ImportOptions {
  const { options } = args;
  return {
    ...parseLogOptions(args),
    range: { since: parseRangeBound(options, "since"), until: parseRangeBound(options, "until") },
    timezone: readText(options, "timezone"),
    countsTokens: !readFlag(options, "no-tokens"),
    listing: parseListing(options),
    namesProjects: parseNames(options),
    log: readText(options, "log"),
    ...parseOutput(options, documentFormats),
  };
}

function parseListing(options: Arguments["options"]): ImportOptions["listing"] {
  const isDryRun = readFlag(options, "dry-run");
  if (!readFlag(options, "list")) return isDryRun ? "logs" : undefined;
  if (isDryRun) throw new UserError(commandSentences.optionsContradict("--list", "--dry-run"));
  return "clients";
}

export const importCommand = defineCommand({
  name: "import",
  summary: "Compute the cost of MCP servers from the logs of clients",
  usage: "mcp-meter import [options] [CLIENT…]",
  operands: importerIds,
  groups: importOptionGroups,
  examples: [
    ["mcp-meter import", "all clients found in your home folder"],
    ["mcp-meter import --dry-run", "the files that it would read"],
    ["mcp-meter import claude-code --since 30d --json", "one client, as JSON"],
    ["mcp-meter import opencode --server-name docs", "a client that does not log server names"],
  ],
  exits: [
    ["0", "logs were read"],
    ["1", "none of the requested logs can be read, or their records cannot be written"],
    ["2", "wrong options"],
  ],
  usageExit: exitCodes.usage,
  parse: parseImportOptions,
  load: async () => (await import("./command.ts")).importLogs,
});
