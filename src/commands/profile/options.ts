import { resolve } from "node:path";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { UserError } from "#kit/errors.ts";
import {
  type DocumentFormat,
  documentFormats,
  profileFormats,
  type ProfileFormat,
} from "#screens/renderers/formats.ts";
import { isFolder } from "#state/storage/folders.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { Arguments, OptionSpecs, RawOptions, OptionGroup } from "../command.ts";
import { type Output, parseOutput, makeOutputSpecs } from "../output/output-options.ts";
import { parseReaderOptions, type ReaderOptions, readerOptionGroup } from "../reader-options.ts";
import {
  parseTimeout,
  connectionOptions,
  parseServerOptions,
  type ServerOptions,
  urlOptionGroup,
} from "../server/server-options.ts";
import { rejectArguments, readFlag, readText } from "../values.ts";
import type { SettingsChoice } from "./configured-servers.ts";
import { profileSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";
import { exactOptionSpecs, type ExactOptions, parseExactOptions } from "../exact.ts";

const setupOptionSpecs: OptionSpecs = {
  configured: {
    describe:
      "profile the servers in the settings of all MCP clients, or with --client NAME of one client",
    isCommandLineOnly: true,
  },
  project: {
    value: "DIR",
    describe: "with --configured: also the servers in the settings of a project",
    isPath: true,
    isCommandLineOnly: true,
  },
  yes: { describe: "with --configured: start the servers without asking", isCommandLineOnly: true },
};

export type SetupOptions = SettingsChoice &
  Output<DocumentFormat> & {
    readonly reading: ReaderOptions;
    readonly timeoutMs: number;
    readonly isConfirmed: boolean;
  };

export function parseSetupOptions({ options, operands, child }: Arguments): SetupOptions {
  rejectArguments(operands);
  if (child !== undefined) {
    throw new UserError(commandSentences.optionsContradict("--configured", "a command after --"));
  }
  for (const name of ["compare", "records", "exact", "url", "header", "header-env"]) {
    if (options[name] === undefined || options[name] === false) continue;
    throw new UserError(commandSentences.optionsContradict("--configured", `--${name}`));
  }
  return {
    ...parseOutput(options, documentFormats),
    client: parseClient(options),
    project: parseProject(options),
    reading: { ...parseReaderOptions(options), client: undefined },
    timeoutMs: parseTimeout(options),
    isConfirmed: readFlag(options, "yes"),
  };
}

function rejectSetupOptions(options: RawOptions): void {
  const found = ["project", "yes"].find((name) => options[name] !== undefined);
  if (found !== undefined) throw new UserError(profileSentences.configuredOnly(found));
}

function parseClient(options: RawOptions): ClientId | undefined {
  const raw = readText(options, "client");
  if (raw === undefined) return undefined;
  const lowerCase = raw.toLowerCase();
  const id = clientIds.find(
    (clientId) => clientId === lowerCase || clients[clientId].name.toLowerCase() === lowerCase,
  );
  if (id !== undefined) return id;
  const nearest =
    findNearestName(lowerCase, clientIds) ??
    clientIds.find((clientId) => clientId.startsWith(lowerCase));
  throw new UserError(profileSentences.settingsClientUnknown(raw, nearest, clientIds.join(", ")));
}

function parseProject(options: RawOptions): string | undefined {
  const folder = readText(options, "project");
  if (folder === undefined) return undefined;
  const path = resolve(folder);
  if (!isFolder(path)) throw new UserError(commandSentences.projectMissing(folder));
  return path;
}

export const profileOptionGroups: readonly OptionGroup[] = [
  { ...readerOptionGroup, options: { ...readerOptionGroup.options, ...exactOptionSpecs } },
  {
    heading: "Output",
    options: {
      ...makeOutputSpecs(profileFormats),
      compare: {
        value: "FILE",
        describe: "compare with an earlier profile that --format json printed",
        isPath: true,
      },
    },
  },
  {
    heading: "Recorded sessions",
    options: {
      records: {
        value: "FILE",
        followingValue: /^[^-]/,
        describe:
          "print the size of answers in recorded sessions: of FILE, of a folder, or else of this machine",
        isPath: true,
        isCommandLineOnly: true,
      },
    },
  },
  { heading: "Servers of clients", options: setupOptionSpecs },
  urlOptionGroup,
  { heading: "General", options: connectionOptions },
];

export type ProfileOptions = ServerOptions &
  Output<ProfileFormat> & {
    readonly compared: string | undefined;
    readonly records: string | true | undefined;
    readonly exact: ExactOptions | undefined;
  };

export function parseProfileChoice(
  args: Arguments,
): { readonly server: ProfileOptions } | { readonly setup: SetupOptions } {
  if (readFlag(args.options, "configured")) return { setup: parseSetupOptions(args) };
  rejectSetupOptions(args.options);
  return { server: parseProfileOptions(args) };
}

function parseProfileOptions(args: Arguments): ProfileOptions {
  const output = parseOutput(args.options, profileFormats);
  const compared = readText(args.options, "compare");
  if (output.format === "badge" && compared !== undefined) {
    throw new UserError(commandSentences.optionsContradict("--format badge", "--compare"));
  }
  const exact = parseExactOptions(args.options);
  const { records: raw } = args.options;
  const records = raw === true || raw === undefined ? raw : readText(args.options, "records");
  return { ...parseServerOptions(args, "profile"), ...output, compared, records, exact };
}
