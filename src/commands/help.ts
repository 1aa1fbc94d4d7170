import yargs from "yargs";
import { type Command, type OptionGroup, type OptionSpec, describeOption } from "./command.ts";
import { toVariableName, generalOptions } from "./environment.ts";

const helpColumnsMin = 40;

const helpColumnsMax = 120;

export type HelpPage = {
  readonly columns: number | undefined;
  readonly color: boolean;
};

const columnsDefault = 100;

const commonOptions = new Set(["budget", "model", "server", "log", "summary", "cost"]);

const programExamplesMax = 2;

/** Fits a screen: the options of `run` that most people use. */
export async function renderProgramHelp(
  commands: readonly Command[],
  run: Command,
  page: HelpPage,
): Promise<string> {
  const parser = createParser(page);
  for (const { name, summary } of commands) parser.command(name, summary);
  parser.command("help", "Show help for a command");
  const title = "See what an MCP server costs, and stop the calls that cost too much.";
  const usage = `Usage: ${run.usage}\n       mcp-meter <command> [options]`;
  const common = Object.entries(run.options).filter(([name]) => commonOptions.has(name));
  const groups = [{ heading: "Common options", options: Object.fromEntries(common) }];
  const options = await renderOptions(parser, { ...run, groups });
  const [examples = ""] = renderNotes({
    ...run,
    examples: run.examples.slice(0, programExamplesMax),
  });
  return joinSections([title, usage, options, examples, "All options: mcp-meter run --help"], page);
}

export async function renderCommandHelp(command: Command, page: HelpPage): Promise<string> {
  const title = `${command.summary}.`;
  const usage = `Usage: ${command.usage}`;
  const options = await renderOptions(createParser(page), command);
  return joinSections([title, usage, options, ...renderNotes(command)], page);
}

type Parser = ReturnType<typeof yargs>;

function createParser({ columns = columnsDefault }: HelpPage): Parser {
  const width = Math.max(helpColumnsMin, Math.min(columns, helpColumnsMax));
  // With an empty program name, yargs lists commands by their names alone. yargs would left-align
  // the lines of the usage, so the usage is printed without it.
  return yargs([]).help(false).version(false).locale("en").scriptName("").usage("").wrap(width);
}

function renderOptions(parser: Parser, { groups }: Command): Promise<string> {
  const general: OptionGroup = { heading: "General", options: generalOptions };
  for (const { heading, options } of [...groups, general]) {
    for (const [name, spec] of Object.entries(options)) addOption(parser, heading, name, spec);
  }
  return parser.getHelp();
}

// The option has no type, so that yargs prints no `[string]` or `[boolean]` after it. The name that
// yargs gets includes the placeholder.
function addOption(parser: Parser, heading: string, name: string, spec: OptionSpec): void {
  const { value, short } = spec;
  parser.option(value === undefined ? name : `${name} ${value}`, {
    describe: describeOption(spec),
    group: `${heading}:`,
    ...(short === undefined ? {} : { alias: short }),
  });
}

function describeVariables(options: Command["options"]): readonly string[] {
  const names = Object.keys(options);
  const commandLineOnly = names.filter((name) => options[name]?.isCommandLineOnly === true);
  const settable = names.filter((name) => !commandLineOnly.includes(name));
  const [first] = settable;
  if (first === undefined) return [`No variable sets ${enumerate(commandLineOnly)}.`];
  const example = `${toVariableName(first)} for --${first}.`;
  if (commandLineOnly.length > settable.length) {
    return settable.length === 1
      ? [`Only --${first} can be set by a variable: ${toVariableName(first)}.`]
      : [`Only ${enumerate(settable)} can be set by variables:`, `  ${example}`];
  }
  return [
    `Each option can be set by a variable: ${example}`,
    ...(commandLineOnly.length === 0 ? [] : describeUnset(enumerate(commandLineOnly))),
  ];
}

function describeUnset(names: string): readonly string[] {
  return names.length < 80 ? [`No variable sets ${names}.`] : ["No variable sets", `  ${names}.`];
}

// Not wrapped, so that examples can be copied.
function renderNotes({ examples, exits, options }: Command): string[] {
  const lines = examples.map(([line, purpose]) => `  # ${purpose}\n  ${line}`);
  const codes = exits.map(([code, meaning]) => `  ${code.padEnd(5)}${meaning}`);
  const names = Object.keys(options);
  const environment = [
    ...describeVariables(options),
    ...names.flatMap((name) => describeAlias(name, options[name])),
    ...(Object.hasOwn(options, "config")
      ? ["Options override variables, and variables override the config file."]
      : []),
    "NO_COLOR=1 turns colors off.",
  ];
  return [
    `Examples:\n${lines.join("\n\n")}`,
    `Environment:\n${environment.map((line) => `  ${line}`).join("\n")}`,
    `Exit codes:\n${codes.join("\n")}`,
  ];
}

function enumerate(names: readonly string[]): string {
  const [last = "", ...others] = names.map((name) => `--${name}`).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

function describeAlias(name: string, spec: OptionSpec | undefined): readonly string[] {
  const { variableAlias } = spec ?? {};
  if (variableAlias === undefined) return [];
  return [`${toVariableName(variableAlias)} is the same as ${toVariableName(name)}.`];
}

function joinSections(sections: readonly string[], { color }: HelpPage): string {
  const text = `${sections.map((section) => section.trim()).join("\n\n")}\n`;
  return color ? text.replaceAll(/^[A-Z][A-Za-z ]*:/gm, "\u001b[1m$&\u001b[22m") : text;
}
