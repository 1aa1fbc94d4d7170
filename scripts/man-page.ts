import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Command,
  describeOption,
  generalOptions,
  type OptionSpec,
} from "#commands/command.ts";
import { commands } from "#commands/index.ts";
import { version } from "#kit/version.ts";

const root = join(import.meta.dir, "..");

export const manPath = "docs/mcp-meter.1";

const firstDate = "2026-11-22";

export function renderManPage(): string {
  const all = Object.values(commands);
  const state = readTableRows(
    read("docs/privacy.md"),
    "**The working directory configures nothing**",
  );
  const files: readonly Row[] = [
    ["/etc/mcp-meter/config.json", "Options for all users of the machine"],
    [
      "$XDG_CONFIG_HOME/mcp-meter/config.json",
      "Options of a user, else ~/.config/mcp-meter/config.json",
    ],
    ...state.map(([name, meaning]): Row => [`$XDG_STATE_HOME/mcp-meter/${name}`, meaning]),
  ];
  const date = formatMdocDate(findReleaseDate(read("CHANGELOG.md")));
  const sections = [
    `.Dd ${date}\n.Dt MCP-METER 1\n.Os mcp\\-meter ${version}`,
    ".Sh NAME\n.Nm mcp-meter\n.Nd see what an MCP server costs in tokens, and stop the calls that cost too much",
    synopsis,
    description,
    ".Sh COMMANDS",
    ...all.map(renderCommand),
    ".Ss Options of every command",
    renderOptions(generalOptions),
    ".Sh ENVIRONMENT",
    "A flag overrides a variable, and a variable overrides the config file.",
    renderNamedList(".Ev", readTableRows(read("docs/config.md"), "## Environment")),
    ".Sh FILES",
    renderNamedList(".Pa", files),
    ".Sh EXIT STATUS",
    ...all.flatMap(renderExits),
    ".Sh EXAMPLES",
    ...all.flatMap(renderExamples),
    ".Sh SEE ALSO",
    "The documents in the folder\n.Pa docs\nof the project explain counting, budgets, records and the files of CI.",
  ];
  return `${comment}\n${sections.join("\n")}\n`;
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function findReleaseDate(changelog: string): string {
  return /^## \[\d[^\]]*\] - (\d{4}-\d{2}-\d{2})$/m.exec(changelog)?.[1] ?? firstDate;
}

function formatMdocDate(date: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

type Row = readonly [name: string, meaning: string];

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

function renderCommand(command: Command): string {
  const { name, summary, usage, options } = command;
  return [
    `.Ss ${escapeMdocArgument(name)}`,
    escapeMdocText(toSentence(summary)),
    renderLiteral([usage]),
    ...(Object.keys(options).length === 0 ? [] : [renderOptions(options)]),
  ].join("\n");
}

function renderOptions(options: Command["options"]): string {
  return renderList(
    Object.entries(options).map(([name, spec]) => [
      renderOptionTerm(name, spec),
      describeOption(spec),
    ]),
  );
}

function renderOptionTerm(name: string, { short, value }: OptionSpec): string {
  const letter = short === undefined ? "" : `Fl ${short} , `;
  const placeholder = value === undefined ? "" : ` Ar ${escapeMdocArgument(value)}`;
  return `${letter}Fl ${escapeMdocArgument(`-${name}`)}${placeholder}`;
}

function renderNamedList(macro: string, rows: readonly Row[]): string {
  return renderList(
    rows.map(([name, meaning]) => [`${macro.slice(1)} ${escapeMdocArgument(name)}`, meaning]),
  );
}

function renderExits({ name, exits }: Command): readonly string[] {
  return [
    `.Ss ${escapeMdocArgument(`Exit status of ${name}`)}`,
    renderList(exits.map(([code, meaning]) => [escapeMdocArgument(code), meaning])),
  ];
}

function renderExamples({ name, examples }: Command): readonly string[] {
  return [
    `.Ss ${escapeMdocArgument(`Examples of ${name}`)}`,
    ...examples.flatMap(([line, purpose], at) => [
      ...(at === 0 ? [] : [".Pp"]),
      escapeMdocText(`${toSentence(purpose).slice(0, -1)}:`),
      renderLiteral([line]),
    ]),
  ];
}

function escapeMdocText(text: string): string {
  const escaped = escapeCharacters(text);
  // A line that begins with a dot or an apostrophe is a request.
  return escaped.replaceAll(/^(?=[.'])/gm, "\\&");
}

function escapeMdocArgument(text: string): string {
  // `\&` prevents reading it as the name of a macro or as punctuation.
  const escaped = `\\&${escapeCharacters(text).replaceAll('"', "\\(dq")}`;
  return /\s/.test(escaped) ? `"${escaped}"` : escaped;
}

/** Dashes stay as users type them; characters beyond ASCII become escapes with their code points. */
function escapeCharacters(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll(/[^\n\u0020-\u007e]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
    });
}

function renderLiteral(lines: readonly string[]): string {
  return [".Bd -literal -offset indent", escapeMdocText(lines.join("\n")), ".Ed"].join("\n");
}

function renderList(rows: readonly Row[]): string {
  return [
    ".Bl -tag -width Ds",
    ...rows.map(
      ([term, meaning]) => `.It ${term}\n${escapeMdocText(breakLines(toSentence(meaning)))}`,
    ),
    ".El",
  ].join("\n");
}

// mdoc wants each sentence on a line of its own.
function breakLines(sentences: string): string {
  return sentences.replaceAll(/(?<=\.) (?=[A-Z])/g, "\n");
}

function toSentence(clause: string): string {
  const [first = ""] = clause;
  return `${first.toUpperCase()}${clause.slice(1)}${clause.endsWith(".") ? "" : "."}`;
}

function readTableRows(markdown: string, after: string): readonly Row[] {
  const [, rest] = markdown.split(after, 2);
  const [table] = /^\|.*\n\| -.*\n(?:\|.*\n)+/m.exec(rest ?? "") ?? [];
  if (table === undefined) throw new Error(`There is no table after "${after}"`);
  const rows = table.trimEnd().split("\n").slice(2);
  return rows.map((row) => {
    const [, name = "", meaning = ""] = row.split("|").map((cell) => stripMarkdown(cell.trim()));
    return [name, meaning];
  });
}

function stripMarkdown(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
}
