import { UserError } from "#kit/errors.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import { describeReason, formatSuggestion } from "#kit/sentences.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { readFlag, readList, rejectArguments, requireChoice } from "../option-values.ts";

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
      // MCP_METER_SERVER, the variable of the former name, must not set this option: that variable names a session's
      // server.
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
