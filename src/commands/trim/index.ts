import { UserError } from "#kit/errors.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { clientIds } from "#clients/ids.ts";
import {
  type Arguments,
  type OptionGroup,
  type RawOptions,
  defineCommand,
  makeCommandFlag,
} from "../command.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { makeRangeSpecs, parseRangeBound } from "../since-until-options.ts";
import { commandSentences } from "../sentences.ts";
import { makeConflict, parseCount, readFlag, readList, readText } from "../option-values.ts";
import { settingsExits } from "../wrap/index.ts";
import { confirmationOptionSpecs, parseClients, selectionOptionSpecs } from "../wrap/options.ts";
import type { TrimOptions } from "./choose-tools.ts";

const { project, file } = selectionOptionSpecs;

// Equals `adviceSessionsMin`. Importing that constant would load its file at every start.
export const sessionsMinDefault = 3;

const trimOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Servers",
    options: {
      client: {
        value: "NAME",
        description: "only servers of this client, such as claude-code",
        choices: clientIds,
        isRepeatable: true,
        isCommandLineOnly: true,
      },
      tool: {
        value: "NAME",
        description: "only tools that match this name or pattern",
        isRepeatable: true,
        isCommandLineOnly: true,
      },
      ...(project && { project }),
      ...(file && { file }),
    },
  },
  {
    heading: "Records",
    options: {
      since: makeRangeSpecs("the last 30 days").since,
      "min-sessions": {
        value: "N",
        description: "only servers with at least N sessions",
        default: String(sessionsMinDefault),
        isCommandLineOnly: true,
      },
    },
  },
  {
    heading: "Changes",
    options: {
      apply: makeCommandFlag("change the clients' settings to hide the uncalled tools"),
      undo: makeCommandFlag("show again the tools that --apply has hidden"),
      ...confirmationOptionSpecs,
    },
  },
  { heading: "Output", options: makeOutputSpecs(documentFormats) },
];

export function parseTrimOptions({ options, operands, child }: Arguments): TrimOptions {
  if (child !== undefined) throw new UserError(commandSentences.argumentUnexpected("--"));
  const isConfirmed = readFlag(options, "yes");
  const isDryRun = readFlag(options, "dry-run");
  if (isConfirmed && isDryRun) throw makeConflict("--yes", "--dry-run");
  const action = parseAction(options);
  if (isConfirmed && action === "propose")
    throw new UserError(commandSentences.optionRequires("yes", "apply or --undo"));
  return {
    action,
    names: operands,
    clients: parseClients(options, "client"),
    tools: readList(options, "tool"),
    project: readText(options, "project"),
    file: readText(options, "file"),
    since: parseRangeBound(options, "since"),
    sessionsMin: parseCount(options, "min-sessions", 1) ?? sessionsMinDefault,
    isConfirmed,
    isDryRun,
    ...parseOutput(options, documentFormats),
  };
}

function parseAction(options: RawOptions): TrimOptions["action"] {
  const isApplied = readFlag(options, "apply");
  if (!readFlag(options, "undo"))
    return isApplied || readFlag(options, "dry-run") ? "apply" : "propose";
  const conflicting = ["apply", "since", "min-sessions"].find(
    (name) => options[name] !== undefined,
  );
  if (conflicting !== undefined) throw makeConflict("--undo", `--${conflicting}`);
  return "undo";
}

export const trimCommand = defineCommand({
  name: "trim",
  summary: "List tools that no recent session called; --apply hides them",
  usage: "mcp-meter trim [options] [SERVER…]",
  operands: "names",
  groups: trimOptionGroups,
  examples: [
    ["mcp-meter trim", "print the uncalled tools of wrapped servers"],
    ["mcp-meter trim github --dry-run", "print the changes to the settings of one server"],
    ["mcp-meter trim --apply", "print the changes, and ask before making them"],
    ["mcp-meter trim --undo --yes", "show again every tool that trim has hidden"],
    ["mcp-meter trim github --undo --tool create_issue", "show one tool again"],
  ],
  exits: settingsExits,
  parse: parseTrimOptions,
  load: async () => (await import("./command.ts")).trim,
});
