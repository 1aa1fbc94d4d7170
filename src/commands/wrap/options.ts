import { existsSync } from "node:fs";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { UserError } from "#kit/errors.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup, OptionSpecs, RawOptions, OptionSpec } from "../command.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { runCommand } from "../run/index.ts";
import { flagOption, listOption, textOption } from "../values.ts";
import { readWords, findOption, splitOption } from "../words.ts";
import { commandSentences } from "../sentences.ts";
import { wrapSentences } from "./sentences.ts";
import { resolve } from "node:path";

export const selectionOptionSpecs: OptionSpecs = {
  all: { describe: "every server of these files", isFlagOnly: true },
  client: {
    value: "NAME",
    describe: "only the settings of this client, such as claude-code",
    choices: clientIds,
    isRepeatable: true,
    isFlagOnly: true,
  },
  project: {
    value: "DIR",
    describe: "also the settings of the project in this folder, which others may share",
    isPath: true,
    isFlagOnly: true,
  },
  file: {
    value: "FILE",
    describe: "only this file of settings, also one that no known client reads by itself",
    isPath: true,
    isFlagOnly: true,
  },
};

export const confirmationOptionSpecs: OptionSpecs = {
  yes: { describe: "change the files without a question", isFlagOnly: true },
  "dry-run": { describe: "print the changes, and ask nothing", isFlagOnly: true },
};

export const wrapOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Servers",
    options: {
      ...selectionOptionSpecs,
      remote: {
        describe: "also remote servers, by mcp-remote, which npx starts",
        isFlagOnly: true,
      },
      list: { describe: "list the servers, and change nothing", isFlagOnly: true },
      print: {
        describe: "print the lines for each server, to be written by hand",
        isFlagOnly: true,
      },
      ...confirmationOptionSpecs,
    },
  },
  { heading: "Output", options: outputOptionSpecs(documentFormats) },
];

export type Selection = Output<DocumentFormat> & {
  readonly names: readonly string[];
  readonly clients: readonly ClientId[];
  /** Folder of a project; undefined for the user's own settings alone. */
  readonly project: string | undefined;
  readonly file: string | undefined;
  readonly isConfirmed: boolean;
  readonly isDryRun: boolean;
};

export type WrapOptions = Selection & {
  readonly action: "wrap" | "list" | "print";
  readonly withRemote: boolean;
  readonly flags: readonly string[];
};

export function parseWrapOptions({ options, operands, child = [] }: Arguments): WrapOptions {
  const action = actionFrom(options);
  if (action !== "wrap") rejectConfirmation(options, action);
  const withRemote = flagOption(options, "remote");
  if (withRemote && action === "list") {
    throw new UserError(commandSentences.optionsContradict("--list", "--remote"));
  }
  return { ...parseSelection(options, operands), action, withRemote, flags: runFlags(child) };
}

function actionFrom(options: RawOptions): WrapOptions["action"] {
  const [isListing, isPrinting] = [flagOption(options, "list"), flagOption(options, "print")];
  if (isListing && isPrinting)
    throw new UserError(commandSentences.optionsContradict("--list", "--print"));
  return isListing ? "list" : isPrinting ? "print" : "wrap";
}

function rejectConfirmation(options: RawOptions, action: string): void {
  if (flagOption(options, "yes")) {
    throw new UserError(commandSentences.optionsContradict(`--${action}`, "--yes"));
  }
}

export function parseSelection(options: RawOptions, operands: readonly string[]): Selection {
  const isAll = flagOption(options, "all");
  const isConfirmed = flagOption(options, "yes");
  const isDryRun = flagOption(options, "dry-run");
  const [first] = operands;
  if (isAll && first !== undefined) {
    throw new UserError(commandSentences.optionsContradict("--all", `the server "${first}"`));
  }
  if (isConfirmed && isDryRun) {
    throw new UserError(commandSentences.optionsContradict("--yes", "--dry-run"));
  }
  // A change without a question is of servers that the user named.
  if (isConfirmed && !isAll && first === undefined)
    throw new UserError(wrapSentences.wrapOfNothing());
  return {
    names: operands,
    clients: listOption(options, "client").map(clientNamed),
    project: textOption(options, "project"),
    file: textOption(options, "file"),
    isConfirmed,
    isDryRun,
    ...parseOutput(options, documentFormats),
  };
}

function clientNamed(name: string): ClientId {
  const id = clientIds.find((one) => one === name);
  if (id !== undefined) return id;
  throw new UserError(
    commandSentences.optionValue("client", name, `one of ${clientIds.join(", ")}`),
  );
}

/** Options of `run` that name a file without which a server does not start. */
const neededFiles = ["config", "lock", "calibration", "prices"] as const;

/** Options of `run`, which it would accept in any folder. Throws UserError. */
function runFlags(words: readonly string[]): readonly string[] {
  if (words.includes("--")) throw new UserError(commandSentences.argumentUnexpected("--"));
  const { flags, operands } = readWords(words, runCommand.options, "run");
  const [first] = operands;
  if (first !== undefined) throw new UserError(wrapSentences.wrapFlagUnexpected(first));
  if (flags["server"] !== undefined) {
    throw new UserError(
      commandSentences.optionsContradict("--server", "wrap, which names each server"),
    );
  }
  runCommand.check({ options: flags, operands, child: ["server"] });
  neededFiles.forEach((name) => rejectMissingFile(name, flags[name]));
  return absolutePaths(words, runCommand.options);
}

function rejectMissingFile(name: string, value: RawOptions[string]): void {
  if (typeof value !== "string" || value.startsWith("~") || existsSync(value)) return;
  throw new UserError(wrapSentences.wrapFlagFileMissing(name, value));
}

/**
 * Options as words, with an absolute path in place of each relative path of a file: a client may start a server in any folder. Words
 * without a file, such as `-` and `off`, `~/…`, and folders stay: a folder may be meant in the workspace of the client.
 */
export function absolutePaths(words: readonly string[], specs: OptionSpecs): readonly string[] {
  let waiting: OptionSpec | undefined;
  return words.map((word) => {
    const spec = waiting;
    waiting = undefined;
    if (spec !== undefined) return absolutePath(word, spec);
    const { option, inline } = splitOption(word);
    const [, found] = findOption(option, specs) ?? [];
    if (found?.value === undefined) return word;
    if (inline !== undefined) return `${option}=${absolutePath(inline, found)}`;
    waiting = found;
    return word;
  });
}

function absolutePath(value: string, { isPath, value: placeholder, choices = [] }: OptionSpec) {
  const isFile = isPath === true && placeholder === "FILE";
  const isElsewhere = value === "-" || value.startsWith("~") || choices.includes(value);
  return isFile && !isElsewhere ? resolve(value) : value;
}
