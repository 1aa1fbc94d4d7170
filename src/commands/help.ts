import { wrapAnsi } from "bun";
import yargs from "yargs";
import {
  type Command,
  describeOption,
  generalOptions,
  type OptionGroup,
  type OptionSpec,
} from "./command.ts";
import { toVariableName } from "./environment-variables.ts";

const columnsMin = 40;

const columnsMax = 80;

const textColumnsMin = 20;

const screenLinesMax = 60;

type HelpPage = {
  readonly columns: number | undefined;
  readonly color: boolean;
};

const commonOptions = new Set(["budget", "model", "server", "log", "summary", "cost"]);

const programExamplesMax = 2;

// Shows only the options of `run` that most people use, so that the page fits a screen.
export async function renderProgramHelp(
  commands: readonly Command[],
  run: Command,
  page: HelpPage,
): Promise<string> {
  const parser = createParser(page);
  for (const { name, summary } of commands) parser.command(name, summary);
  parser.command("help", "Show help for a command");
  const common = Object.entries(run.options).filter(([name]) => commonOptions.has(name));
  const groups = [{ heading: "Common options", options: Object.fromEntries(common) }];
  const sections = [
    "See what an MCP server costs, and stop the calls that cost too much.",
    `Usage: ${run.usage}\n       mcp-meter <command> [options]`,
    await renderOptions(parser, groups),
    renderExamples(run.examples.slice(0, programExamplesMax)),
    "All options: mcp-meter run --help all",
  ];
  return joinSections(sections, page);
}

// Unless `showsAll`, a page that would not fit a screen leaves out rare options and all variables.
export async function renderCommandHelp(
  command: Command,
  page: HelpPage,
  showsAll: boolean = false,
): Promise<string> {
  const { name, summary, usage, groups, examples, exits } = command;
  const usageLines = hangIndent("Usage: ", usage, page).join("\n");
  const codes = exits.flatMap(([code, meaning]) =>
    hangIndent(`  ${code.padEnd(5)}`, meaning, page),
  );
  const renderPage = async (shown: readonly OptionGroup[], note: string): Promise<string> => {
    const options = await renderOptions(createParser(page), shown);
    const exitCodes = ["Exit codes:", ...codes].join("\n");
    const sections = [
      `${summary}.`,
      usageLines,
      options,
      renderExamples(examples),
      exitCodes,
      note,
    ];
    return joinSections(sections, page);
  };
  const whole = await renderPage(groups, renderEnvironment(command, page));
  if (showsAll || whole.split("\n").length <= screenLinesMax) return whole;
  const common = groups.map(({ heading, options, rare = [] }) => ({
    heading,
    options: Object.fromEntries(
      Object.entries(options).filter(([option]) => !rare.includes(option)),
    ),
  }));
  return renderPage(common, `All options and variables: mcp-meter ${name} --help all`);
}

type Parser = ReturnType<typeof yargs>;

// With an empty script name, yargs lists commands without a prefix. Callers print the usage, because yargs would
// remove the indent of a usage's second line.
function createParser(page: HelpPage): Parser {
  const width = chooseWidth(page);
  return yargs([]).help(false).version(false).locale("en").scriptName("").usage("").wrap(width);
}

function chooseWidth({ columns = columnsMax }: HelpPage): number {
  return Math.max(columnsMin, Math.min(columns, columnsMax));
}

async function renderOptions(parser: Parser, groups: readonly OptionGroup[]): Promise<string> {
  const general: OptionGroup = { heading: "General", options: generalOptions };
  for (const { heading, options } of [...groups, general]) {
    for (const [name, spec] of Object.entries(options)) addOption(parser, heading, name, spec);
  }
  return (await parser.getHelp()).trim();
}

// The option gets no type, because yargs would print `[string]` or `[boolean]` after it.
function addOption(parser: Parser, heading: string, name: string, spec: OptionSpec): void {
  const { value, short } = spec;
  parser.option(value === undefined ? name : `${name} ${value}`, {
    describe: describeOption(spec),
    group: `${heading}:`,
    ...(short === undefined ? {} : { alias: short }),
  });
}

function hangIndent(prefix: string, text: string, page: HelpPage): string[] {
  const room = Math.max(textColumnsMin, chooseWidth(page) - prefix.length);
  const lines = wrapAnsi(text, room, { hard: true }).split("\n");
  return lines.map((line, at) => `${at === 0 ? prefix : " ".repeat(prefix.length)}${line}`);
}

// Long examples are not wrapped, so that they can be copied.
function renderExamples(examples: Command["examples"]): string {
  const lines = examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${line}`]);
  return ["Examples:", ...lines].join("\n");
}

function renderEnvironment({ options }: Command, page: HelpPage): string {
  const sentences = [
    ...describeVariables(options),
    ...Object.entries(options).flatMap(([name, { variableAlias }]) =>
      variableAlias === undefined
        ? []
        : [`${toVariableName(variableAlias)} is the same as ${toVariableName(name)}.`],
    ),
    ...(Object.hasOwn(options, "config")
      ? ["Options override variables, and variables override the config file."]
      : []),
    "NO_COLOR=1 turns colors off.",
  ];
  return ["Environment:", ...sentences.flatMap((text) => hangIndent("  ", text, page))].join("\n");
}

function describeVariables(options: Command["options"]): readonly string[] {
  const names = Object.keys(options);
  const commandLineOnly = names.filter((name) => options[name]?.isCommandLineOnly === true);
  const settable = names.filter((name) => !commandLineOnly.includes(name));
  const [first] = settable;
  if (first === undefined) return [`${enumerate(commandLineOnly)} cannot be set by a variable.`];
  const example = `${toVariableName(first)} for --${first}`;
  if (commandLineOnly.length > settable.length)
    return [`Only ${enumerate(settable)} can be set by a variable: ${example}.`];
  const exceptions = commandLineOnly.length === 0 ? "" : ` except ${enumerate(commandLineOnly)}`;
  return [`Each option${exceptions} can be set by a variable: ${example}.`];
}

function enumerate(names: readonly string[]): string {
  const list = names.map((name) => `--${name}`).join(", ");
  return list.replace(/, (\S+)$/, " and $1");
}

function joinSections(sections: readonly string[], { color }: HelpPage): string {
  const text = `${sections.join("\n\n")}\n`;
  return color ? text.replaceAll(/^[A-Z][A-Za-z ]*:/gm, "\u001b[1m$&\u001b[22m") : text;
}
