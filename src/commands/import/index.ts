import { UserError } from "#kit/errors.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import { describeReason, formatSuggestion } from "#kit/sentences.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
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
import { readFlag, readList, readText, rejectArguments, requireChoice } from "../option-values.ts";
import type { ImportOptions } from "./command.ts";

export const logOptionGroup: OptionGroup = {
  heading: "Logs",
  options: {
    client: {
      value: "NAME",
      description: "read only the logs of this client; same as the operand CLIENT",
      isRepeatable: true,
      choices: importerIds,
      isCommandLineOnly: true,
    },
    from: {
      value: "DIR",
      description: "home folder to search instead of your own",
      isRepeatable: true,
      isPath: true,
      isCommandLineOnly: true,
    },
    "server-name": {
      value: "NAME",
      formerName: "server",
      description:
        "name of a server, for clients that join server and tool names in their logs; mcp-meter import remembers the name",
      isRepeatable: true,
      // The variable of the former name, MCP_METER_SERVER, must not set this option: it names a session's server.
      isCommandLineOnly: true,
    },
    "servers-from-settings": {
      description:
        "also use the server names in the settings of each client; nothing else in the settings is kept",
      isCommandLineOnly: true,
    },
  },
};

export type LogOptions = {
  readonly clients: readonly ImporterId[];
  readonly homes: readonly string[];
  readonly servers: readonly string[];
  readonly usesSettings: boolean;
};

export function parseLogOptions({ options, operands, child = [] }: Arguments): LogOptions {
  rejectArguments(child);
  const named = readList(options, "client").map((name) =>
    requireChoice("client", name, importerIds),
  );
  return {
    clients: [...new Set([...operands.map(parseImporterId), ...named])],
    homes: readList(options, "from"),
    servers: readList(options, "server-name"),
    usesSettings: readFlag(options, "servers-from-settings"),
  };
}

function parseImporterId(name: string): ImporterId {
  const id = importerIds.find((importerId) => importerId === name);
  if (id !== undefined) return id;
  const nearest =
    findNearestName(name, importerIds) ??
    importerIds.find((known) => name !== "" && known.startsWith(name));
  throw new UserError(importSentences.importerUnknown(name, nearest, importerIds.join(", ")));
}

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

export const importSentences = {
  importerUnknown: (name: string, nearest: string | undefined, known: string) =>
    `Cannot import logs of "${name}"${formatSuggestion(nearest)}; the clients are ${known}`,
  homeMissing: (folder: string) => `Cannot read the logs in "${folder}": no such folder`,
  logsMissing: (client: string | undefined, homes: string) =>
    `Found no logs of ${client ?? "any client"} in the ${homes}; search another folder with --from DIR`,
  readingLogs: (client: string, file: number, files: number) =>
    `Reading the logs of ${client}: file ${formatCount(file)} of ${formatCount(files)}`,
  interrupted: () => `Interrupted: nothing was imported, and earlier records are unchanged`,
  logsHomeMissing: () => `Cannot find the logs of clients: set HOME or pass --from DIR`,
  importsUnwritable: (count: number, folder: string, reason: string) =>
    `Cannot write the records of ${pluralize(count, "conversation")} to "${folder}": ${describeReason(reason)}`,
  importFileUnwritable: (file: string, reason: string) =>
    `Cannot write imported records to "${file}": ${describeReason(reason)}`,
} as const;
