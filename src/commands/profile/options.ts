import { resolve } from "node:path";
import { UserError } from "#kit/errors.ts";
import { actionRules } from "#meter/actions/action-rules.ts";
import { type Budget, parseBudget, rejectContradictions } from "#meter/budgets/budget.ts";
import {
  type DocumentFormat,
  documentFormats,
  profileFormats,
  type ProfileFormat,
} from "#screens/renderers/formats.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { isFolder } from "#state/storage/folders.ts";
import {
  type Arguments,
  type OptionSpecs,
  type RawOptions,
  type OptionGroup,
  makeCommandFlag,
} from "../command.ts";
import { type Output, parseOutput, makeOutputSpecs } from "../output/output-options.ts";
import { parseReaderOptions, type ReaderOptions, readerOptionGroup } from "../reader-options.ts";
import {
  parseTimeout,
  connectionOptions,
  parseServerOptions,
  type ServerOptions,
  urlOptionGroup,
} from "../connection-options.ts";
import { parseClients, settingsOptionSpecs } from "../wrap/options.ts";
import {
  makeConflict,
  rejectArguments,
  parseTokens,
  readFlag,
  readList,
  readText,
} from "../option-values.ts";
import { lockOptionSpecs } from "../lock/options.ts";
import type { SettingsChoice } from "./configured-servers.ts";
import { commandSentences } from "../sentences.ts";
import { budgetPriceSpecs } from "../price-options.ts";
import { exactOptionSpecs, parseExactModel } from "../exact-option.ts";

const setupOptionSpecs: OptionSpecs = {
  configured: makeCommandFlag("profile the servers in the settings of all MCP clients"),
  ...settingsOptionSpecs,
  yes: makeCommandFlag("with --configured: start the servers without asking"),
};

type ComparisonOptions = {
  readonly earlierFile: string | undefined;
  readonly tokensMax: number | undefined;
};

function parseComparison(options: RawOptions): ComparisonOptions {
  return {
    earlierFile: readText(options, "compare"),
    tokensMax: parseTokens(options, "max-total"),
  };
}

export type SetupOptions = SettingsChoice &
  ComparisonOptions &
  Output<DocumentFormat> & {
    readonly reading: ReaderOptions;
    readonly timeoutMs: number;
    readonly isConfirmed: boolean;
  };

export function parseSetupOptions({ options, operands, child }: Arguments): SetupOptions {
  rejectArguments(operands);
  if (child !== undefined) {
    throw makeConflict("--configured", "a command after --");
  }
  for (const name of ["as-client", "records", "budget", "exact", "url", "header", "header-env"]) {
    if (options[name] === undefined || options[name] === false) continue;
    throw makeConflict("--configured", `--${name}`);
  }
  return {
    ...parseOutput(options, documentFormats),
    clients: parseClients(options),
    project: parseProject(options),
    reading: { ...parseReaderOptions(options), client: undefined },
    timeoutMs: parseTimeout(options),
    isConfirmed: readFlag(options, "yes"),
    ...parseComparison(options),
  };
}

function rejectSetupOptions(options: RawOptions): void {
  const found = ["settings-of", "project", "yes"].find((name) => options[name] !== undefined);
  if (found !== undefined)
    throw new UserError(commandSentences.optionRequires(found, "configured"));
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
    rare: ["prices"],
    options: {
      ...makeOutputSpecs(profileFormats),
      compare: {
        value: "FILE",
        description: "compare with an earlier profile that --json printed",
        isPath: true,
      },
      "max-total": {
        ...lockOptionSpecs["max-total"],
        description: "exit with 1 if the tool list exceeds N tokens, as in 20k",
      },
      budget: {
        value: "LIMIT",
        description:
          "exit with 1 when the largest answer of a tool exceeds LIMIT, as in 2k, 'search=2k' or '$0.05'",
        isRepeatable: true,
        isCommandLineOnly: true,
      },
      ...budgetPriceSpecs,
    },
  },
  {
    heading: "Recorded sessions",
    options: {
      records: {
        value: "FILE",
        followingValue: /^[^-]/,
        description:
          "print the sizes of answers recorded in FILE (a file or folder) or, without FILE, on this machine",
        isPath: true,
        isCommandLineOnly: true,
      },
    },
  },
  { heading: "Servers of clients", options: setupOptionSpecs, rare: ["project"] },
  urlOptionGroup,
  { heading: "General", options: connectionOptions, rare: ["timeout"] },
];

export type ProfileOptions = ServerOptions &
  ComparisonOptions &
  Output<ProfileFormat> & {
    readonly records: string | true | undefined;
    readonly budgets: readonly Budget[];
    readonly priceFile: string | undefined;
    readonly exactModel: string | undefined;
  };

export function parseProfileChoice(
  args: Arguments,
): { readonly server: ProfileOptions } | { readonly setup: SetupOptions } {
  const options = renameClient(args.options);
  if (readFlag(options, "configured")) return { setup: parseSetupOptions({ ...args, options }) };
  rejectSetupOptions(options);
  return { server: parseProfileOptions({ ...args, options }) };
}

// `--client` was once the name of both `--settings-of` and `--as-client`, and is still accepted until 0.2.
function renameClient({ client, ...options }: RawOptions): RawOptions {
  if (client === undefined) return options;
  return { [readFlag(options, "configured") ? "settings-of" : "as-client"]: client, ...options };
}

function parseProfileOptions(args: Arguments): ProfileOptions {
  const output = parseOutput(args.options, profileFormats);
  const comparison = parseComparison(args.options);
  if (output.format === "badge" && comparison.earlierFile !== undefined) {
    throw makeConflict("--format badge", "--compare");
  }
  const exactModel = parseExactModel(args.options);
  const { records: raw } = args.options;
  const records = raw === true || raw === undefined ? raw : readText(args.options, "records");
  return {
    ...parseServerOptions(args, "profile"),
    ...output,
    ...comparison,
    budgets: parseAnswerBudgets(args.options),
    priceFile: readText(args.options, "prices"),
    records,
    exactModel,
  };
}

function parseAnswerBudgets(options: RawOptions): Budget[] {
  const budgets = readList(options, "budget").map((spec) => parseBudget(spec, actionRules));
  rejectContradictions(budgets, actionRules);
  const unsupported = budgets.find(({ per }) => per !== "call");
  if (unsupported)
    throw new UserError(profileSentences.budgetPeriod(unsupported.spec, unsupported.per));
  return budgets;
}

export const profileSentences = {
  countSourceDiffers: (file: string, earlier: string, current: string) =>
    `Cannot compare with the profile "${file}": its definitions were counted by ${earlier}, the current ones by ${current}`,
  budgetPeriod: (spec: string, per: string) =>
    `Cannot profile with the budget "${spec}": it must limit each call, not each ${per}`,
  projectIgnored: () =>
    `Leaving out the settings of the project in this folder; pass --project . to start its servers too`,
  projectServersIgnored: (servers: number) =>
    `Leaving out ${pluralize(servers, "server")} of projects (see wrap --list); add --project DIR to include a project's servers`,
  serversMissing: (home: string, unreadable: number) =>
    `Found no server in the settings of MCP clients in "${home}"; ${unreadable > 0 ? "repair the files that cannot be read" : "add one to a client, or name a project with --project DIR"}`,
  serversToStart: (client: string, names: string) => `Servers of ${client}: ${names}`,
  startQuestion: (servers: number) =>
    servers === 1
      ? "Start this server as its client does? [y/N]"
      : `Start these ${pluralize(servers, "server")} as their clients do? [y/N]`,
  nothingStarted: () => `Nothing was started`,
  estimatorDiffers: (file: string, earlier: string, current: string) =>
    `Cannot compare with the profile "${file}": it was counted with ${earlier}, but this run uses ${current}; pass --tokenizer ${earlier}`,
} as const;
