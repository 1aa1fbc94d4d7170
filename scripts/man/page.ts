import { type Command, type OptionSpec, describeOption } from "#commands/command.ts";
import { generalOptions } from "#commands/environment.ts";
import { mdocArgument, mdocList, mdocLiteral, mdocText, sentence } from "./mdoc.ts";

export type ManSources = {
  readonly commands: readonly Command[];
  readonly version: string;
  readonly date: string;
  readonly variables: readonly Row[];
  readonly files: readonly Row[];
};

type Row = readonly [name: string, meaning: string];

export function manPage({ commands, version, date, variables, files }: ManSources): string {
  const sections = [
    `.Dd ${date}\n.Dt MCP-METER 1\n.Os mcp\\-meter ${version}`,
    ".Sh NAME\n.Nm mcp-meter\n.Nd see what an MCP server costs in tokens, and stop the calls that cost too much",
    synopsis,
    description,
    ".Sh COMMANDS",
    ...commands.map(commandSection),
    ".Ss Options of every command",
    optionList(generalOptions),
    ".Sh ENVIRONMENT",
    "A flag overrides a variable, and a variable overrides the config file.",
    namedList(".Ev", variables),
    ".Sh FILES",
    namedList(".Pa", files),
    ".Sh EXIT STATUS",
    ...commands.flatMap(exitList),
    ".Sh EXAMPLES",
    ...commands.flatMap(exampleList),
    ".Sh SEE ALSO",
    "The documents in the folder\n.Pa docs\nof the project explain counting, budgets, records and the files of CI.",
  ];
  return `${comment}\n${sections.join("\n")}\n`;
}

const comment = `.\\" Made by scripts/readme.ts from the tables of options; do not edit.`;

const synopsis = `.Sh SYNOPSIS
.Nm
.Op Cm run
.Op Ar options
.Fl -
.Ar command
.Op Ar argument ...
.Nm
.Ar subcommand
.Op Ar options
.Op Ar operand ...`;

const description = `.Sh DESCRIPTION
.Nm
runs between an MCP client and a server on stdin and stdout, forwards every byte, computes the cost of the messages in tokens, and
prints it at the end.
With a budget it refuses, shortens or delays calls that cost too much.
.Pp
The first
.Fl -
ends the options of
.Nm ;
everything after it reaches the server unchanged.
An option with a value is written
.Fl -name Ar value
or
.Fl -name Ns = Ns Ar value .`;

function commandSection(command: Command): string {
  const { name, summary, usage, options } = command;
  return [
    `.Ss ${mdocArgument(name)}`,
    mdocText(sentence(summary)),
    mdocLiteral([usage]),
    ...(Object.keys(options).length === 0 ? [] : [optionList(options)]),
  ].join("\n");
}

function optionList(options: Command["options"]): string {
  return mdocList(
    Object.entries(options).map(([name, spec]) => [optionTerm(name, spec), describeOption(spec)]),
  );
}

function optionTerm(name: string, { short, value }: OptionSpec): string {
  const letter = short === undefined ? "" : `Fl ${short} , `;
  const placeholder = value === undefined ? "" : ` Ar ${mdocArgument(value)}`;
  return `${letter}Fl ${mdocArgument(`-${name}`)}${placeholder}`;
}

function namedList(macro: string, rows: readonly Row[]): string {
  return mdocList(
    rows.map(([name, meaning]) => [`${macro.slice(1)} ${mdocArgument(name)}`, meaning]),
  );
}

function exitList({ name, exits }: Command): readonly string[] {
  return [
    `.Ss ${mdocArgument(`Exit status of ${name}`)}`,
    mdocList(exits.map(([code, meaning]) => [mdocArgument(code), meaning])),
  ];
}

function exampleList({ name, examples }: Command): readonly string[] {
  return [
    `.Ss ${mdocArgument(`Examples of ${name}`)}`,
    ...examples.flatMap(([line, purpose], at) => [
      ...(at === 0 ? [] : [".Pp"]),
      mdocText(`${sentence(purpose).slice(0, -1)}:`),
      mdocLiteral([line]),
    ]),
  ];
}
