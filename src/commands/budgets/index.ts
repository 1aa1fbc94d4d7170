import { UserError } from "#kit/errors.ts";
import { defineCommand, type Arguments, type OptionGroup, makeCommandFlag } from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { counterOptionSpecs, parseCounterOptions } from "../counters/counter-options.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { rejectArguments, readFlag, readText } from "../option-values.ts";
import { commandSentences } from "../sentences.ts";
import type { BudgetsOptions } from "./command.ts";

const budgetsOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Options",
    options: {
      reset: {
        value: "NAME",
        description:
          "reset the counters of this tool or, if no tool matches, of this server; takes wildcards; '*' resets every counter, '(all)' only those that all tools share",
        isCommandLineOnly: true,
      },
      "dry-run": makeCommandFlag(
        "with --reset: print the matching counters without resetting them",
      ),
      ...Object.fromEntries(
        Object.entries(counterOptionSpecs).map(([name, spec]) => [
          name,
          { ...spec, default: 'the value that "mcp-meter run" uses' },
        ]),
      ),
      ...makeOutputSpecs(documentFormats),
    },
  },
];

export function parseBudgetsOptions({ options, operands, child = [] }: Arguments): BudgetsOptions {
  rejectArguments([...operands, ...child]);
  // Called only to reject invalid values; the command receives the raw strings.
  parseCounterOptions(options);
  const counterOptions = Object.fromEntries(
    Object.keys(counterOptionSpecs).flatMap((name) => {
      const value = readText(options, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const resetPattern = readText(options, "reset");
  const isDryRun = readFlag(options, "dry-run");
  if (isDryRun && resetPattern === undefined)
    throw new UserError(commandSentences.optionRequires("dry-run", "reset"));
  return {
    resetPattern,
    isDryRun,
    counterOptions,
    ...parseOutput(options, documentFormats),
  };
}

export const budgetsCommand = defineCommand({
  name: "budgets",
  summary: "Print or reset the counters of budgets",
  usage: "mcp-meter budgets [options]",
  groups: budgetsOptionGroups,
  examples: [
    ["mcp-meter budgets", "print every budget counter that sessions share"],
    ["mcp-meter budgets --counters redis://cache.example", "print the counters in Redis"],
    ["mcp-meter budgets --reset 'fetch_*'", "reset the counters of some tools"],
    ["mcp-meter budgets --reset github", "reset the counters of a server"],
  ],
  exits: [
    ["0", "the counters were printed or reset"],
    [
      "2",
      "invalid options, unreadable counters, nothing to reset, or --reset for a budget that the system config locks",
    ],
  ],
  parse: parseBudgetsOptions,
  load: async () => (await import("./command.ts")).printBudgets,
});
