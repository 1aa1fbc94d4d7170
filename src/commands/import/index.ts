import { UserError } from "#kit/errors.ts";
import { importerIds } from "#history/importers/ids.ts";
import {
  defineCommand,
  type Arguments,
  type OptionGroup,
  type RawOptions,
  makeCommandFlag,
} from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { commandSentences } from "../sentences.ts";
import { timezoneOption } from "../report/options.ts";
import { makeRangeSpecs, parseRangeBound } from "../since-until-options.ts";
import { readFlag, readText } from "../option-values.ts";
import type { ImportOptions } from "./command.ts";
import { logOptionGroup, parseLogOptions } from "./options.ts";

const importOptionGroups: readonly OptionGroup[] = [
  logOptionGroup,
  {
    heading: "Period",
    options: { ...makeRangeSpecs("everything in the logs"), timezone: timezoneOption },
  },
  {
    heading: "Output",
    options: {
      "no-tokens": makeCommandFlag("skip counting tokens, the slowest part of an import"),
      "dry-run": makeCommandFlag("print the folders that would be read, without opening any log"),
      list: makeCommandFlag("print all clients, and the folders searched for logs"),
      log: {
        value: "FILE",
        description:
          "write the records to FILE instead of the folder that `report` reads; with `off`, write none",
        default: "one file per conversation; none with --no-tokens",
        isPath: true,
        // MCP_METER_LOG names the file that `run` writes, so it must not set this option.
        isCommandLineOnly: true,
      },
      names: {
        formerName: "projects",
        description: "show projects by folder name instead of a hash, in this and later imports",
        isCommandLineOnly: true,
      },
      "no-names": makeCommandFlag("go back to hashing project names"),
      ...makeOutputSpecs(documentFormats),
    },
  },
];

function parseProjectNaming(options: RawOptions): boolean | undefined {
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
    namesProjects: parseProjectNaming(options),
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
    ["mcp-meter import --dry-run", "the folders that it would read"],
    ["mcp-meter import claude-code --since 30d --json", "one client, as JSON"],
    [
      "mcp-meter import opencode --server-name docs",
      "name a server, because opencode joins server and tool names in its logs",
    ],
  ],
  exits: [
    ["0", "logs were read, or their folders were printed"],
    ["1", "no requested log can be read, or the records cannot be written"],
    ["2", "invalid options or arguments"],
  ],
  parse: parseImportOptions,
  load: async () => (await import("./command.ts")).importLogs,
});
