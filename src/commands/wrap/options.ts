import { existsSync } from "node:fs";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { UserError } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import {
  type Arguments,
  type OptionGroup,
  type OptionSpecs,
  type RawOptions,
  type OptionSpec,
  makeCommandFlag,
} from "../command.ts";
import { type Output, makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { runCommand } from "../run/index.ts";
import { makeConflict, readFlag, readList, readText } from "../option-values.ts";
import { groupWords, readWords } from "../parse-command-line.ts";
import { commandSentences } from "../sentences.ts";
import { wrapSentences } from "./sentences.ts";
import { resolve } from "node:path";

export const settingsOptionSpecs: OptionSpecs = {
  "settings-of": {
    value: "NAME",
    formerName: "client",
    description: "only the settings of this client, such as claude-code",
    choices: clientIds,
    isRepeatable: true,
    isCommandLineOnly: true,
  },
  project: {
    value: "DIR",
    description:
      "also the settings of the project in this folder; they are often shared with other people",
    isPath: true,
    isCommandLineOnly: true,
  },
};

export const selectionOptionSpecs: OptionSpecs = {
  all: makeCommandFlag("every server in the selected settings files"),
  ...settingsOptionSpecs,
  file: {
    value: "FILE",
    description: "only this settings file, even if no known client reads it",
    isPath: true,
    isCommandLineOnly: true,
  },
};

export const confirmationOptionSpecs: OptionSpecs = {
  yes: makeCommandFlag("change the files without asking"),
  "dry-run": makeCommandFlag("only print the changes, without asking"),
};

export const wrapOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Servers",
    options: {
      ...selectionOptionSpecs,
      remote: makeCommandFlag("also remote servers, through mcp-remote, which npx starts"),
      list: makeCommandFlag("list the servers, and change nothing"),
      print: makeCommandFlag("print the lines for each server, to paste by hand"),
      ...confirmationOptionSpecs,
    },
  },
  { heading: "Output", options: makeOutputSpecs(documentFormats) },
];

export type Selection = Output<DocumentFormat> & {
  readonly names: readonly string[];
  readonly clients: readonly ClientId[];
  readonly project: string | undefined;
  readonly file: string | undefined;
  readonly isConfirmed: boolean;
  readonly isDryRun: boolean;
};

export type WrapOptions = Selection & {
  readonly action: "wrap" | "list" | "print";
  readonly includesRemote: boolean;
  readonly flags: readonly string[];
};

export function parseWrapOptions({ options, operands, child = [] }: Arguments): WrapOptions {
  const action = parseAction(options);
  if (action !== "wrap" && readFlag(options, "yes")) throw makeConflict(`--${action}`, "--yes");
  const includesRemote = readFlag(options, "remote");
  if (includesRemote && action === "list") throw makeConflict("--list", "--remote");
  return {
    ...parseSelection(options, operands),
    action,
    includesRemote,
    flags: parseRunFlags(child),
  };
}

function parseAction(options: RawOptions): WrapOptions["action"] {
  const [isListing, isPrinting] = [readFlag(options, "list"), readFlag(options, "print")];
  if (isListing && isPrinting) throw makeConflict("--list", "--print");
  return isListing ? "list" : isPrinting ? "print" : "wrap";
}

export function parseSelection(options: RawOptions, operands: readonly string[]): Selection {
  const isAll = readFlag(options, "all");
  const isConfirmed = readFlag(options, "yes");
  const isDryRun = readFlag(options, "dry-run");
  const [first] = operands;
  if (isAll && first !== undefined) throw makeConflict("--all", `the server "${first}"`);
  if (isConfirmed && isDryRun) throw makeConflict("--yes", "--dry-run");
  if (isConfirmed && !isAll && first === undefined)
    throw new UserError(wrapSentences.wrapServersMissing());
  return {
    names: operands,
    clients: parseClients(options),
    project: readText(options, "project"),
    file: readText(options, "file"),
    isConfirmed,
    isDryRun,
    ...parseOutput(options, documentFormats),
  };
}

export function parseClients(
  options: RawOptions,
  option: "settings-of" | "client" = "settings-of",
): readonly ClientId[] {
  return readList(options, option).map((raw) => {
    const name = raw.toLowerCase();
    const found = clientIds.find((id) => [id, clients[id].name.toLowerCase()].includes(name));
    if (found !== undefined) return found;
    const nearest = findNearestName(name, clientIds) ?? clientIds.find((id) => id.startsWith(name));
    const known = clientIds.join(", ");
    throw new UserError(wrapSentences.settingsClientUnknown(option, raw, nearest, known));
  });
}

// If the file of one of these options is missing, `run` can fail to start the server.
const neededFileOptions = ["config", "lock", "calibration", "prices"] as const;

function parseRunFlags(words: readonly string[]): readonly string[] {
  if (words.includes("--")) throw new UserError(commandSentences.argumentUnexpected("--"));
  const { flags, operands } = readWords(words, runCommand.options, "run");
  const [first] = operands;
  if (first !== undefined) throw new UserError(wrapSentences.wrapFlagUnexpected(first));
  if (flags["server"] !== undefined)
    throw makeConflict("--server", "wrap, which names each server");
  runCommand.check({ options: flags, operands, child: ["server"] });
  neededFileOptions.forEach((name) => rejectMissingFile(name, flags[name]));
  return makePathsAbsolute(words, runCommand.options);
}

function rejectMissingFile(name: string, value: RawOptions[string]): void {
  if (typeof value !== "string" || value.startsWith("~") || existsSync(value)) return;
  throw new UserError(wrapSentences.wrapFlagFileMissing(name, value));
}

// Makes relative paths of files absolute, because a client may start a server in another folder. A relative path of a
// folder stays relative, because the user may mean a folder in the client's workspace.
export function makePathsAbsolute(words: readonly string[], specs: OptionSpecs): readonly string[] {
  return groupWords(words, specs).flatMap(({ name, value, at, length }) => {
    const [word = "", ...values] = words.slice(at, at + length);
    const spec = specs[name];
    if (spec?.value === undefined) return [word, ...values];
    const path = makePathAbsolute(value, spec);
    return values.length > 0 ? [word, path] : [word.replace(/=.*$/s, () => `=${path}`)];
  });
}

function makePathAbsolute(value: string, { isPath, value: placeholder, choices = [] }: OptionSpec) {
  const isFile = isPath === true && placeholder === "FILE";
  const isSpecial = value === "-" || value.startsWith("~") || choices.includes(value);
  return isFile && !isSpecial ? resolve(value) : value;
}
