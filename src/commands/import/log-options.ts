import { UserError } from "#kit/errors.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { flagOption, listOption } from "../values.ts";
import { importSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";
import type { LogHome } from "#history/imports/importer.ts";
import type { Io } from "#kit/io.ts";
import { homeFolder } from "#state/storage/folders.ts";

export const logOptionGroup: OptionGroup = {
  heading: "Logs",
  options: {
    from: {
      value: "DIR",
      describe: "home folder to search in place of your own",
      isRepeatable: true,
      isPath: true,
      isFlagOnly: true,
    },
    server: {
      value: "NAME",
      describe: "name of a server, for clients that join it with the name of its tool",
      isRepeatable: true,
      // MCP_METER_SERVER names the server of a session.
      isFlagOnly: true,
    },
    "servers-from-settings": {
      describe:
        "also the names of servers in the settings of each client; nothing else is kept of them",
      isFlagOnly: true,
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
  const [first] = child;
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
  return {
    clients: [...new Set(operands.map(clientNamed))],
    homes: listOption(options, "from"),
    servers: listOption(options, "server"),
    usesSettings: flagOption(options, "servers-from-settings"),
  };
}

function clientNamed(name: string): ImporterId {
  const id = importerIds.find((one) => one === name);
  if (id !== undefined) return id;
  throw new UserError(importSentences.importerUnknown(name, importerIds.join(", ")));
}

/** Named homes are read without this user's variables. Throws UserError when the environment names no home. */
export function logHomes(
  { homes }: Pick<LogOptions, "homes">,
  { env, platform }: Pick<Io, "env" | "platform">,
): readonly LogHome[] {
  if (homes.length > 0) return homes.map((folder) => ({ folder, env: {}, platform }));
  const folder = homeFolder(env);
  if (folder === undefined) throw new UserError(importSentences.logsHomeMissing());
  return [{ folder, env, platform }];
}

export function homesNamed(homes: readonly LogHome[]): string {
  return homes.map(({ folder }) => folder).join('", "');
}
