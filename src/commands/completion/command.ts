import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { version } from "#kit/version.ts";
import type { Command } from "../command.ts";
import { printOutput } from "../output/output-options.ts";
import {
  describeCommands,
  type CompletedCommand,
  type CompletedValue,
  defaultCommand,
  type SharedOption,
  groupOptions,
  quoteForFish,
} from "./completed-commands.ts";
import type { CompletionOptions, ShellId } from "./options.ts";
import { renderBashScript, renderZshScript } from "./shell-scripts.ts";

export async function printCompletion(
  commands: readonly Command[],
  { shell, output }: CompletionOptions,
  io: Io,
): Promise<Ending> {
  const script = renderCompletion(shell, describeCommands(commands), version);
  await printOutput(() => script, { output, isWide: true }, io);
  return { code: exitCodes.ok };
}

export function renderCompletion(
  shell: ShellId,
  commands: readonly CompletedCommand[],
  madeBy: string,
): string {
  // The first line names, for zsh, which command the file completes.
  const first = shell === "zsh" ? "#compdef mcp-meter\n" : "";
  const origin = `# Completion of mcp-meter ${madeBy}, made by: mcp-meter completion ${shell}\n\n`;
  return `${first}${origin}${renderers[shell](commands)}`;
}

function renderFishScript(commands: readonly CompletedCommand[]): string {
  return [
    renderHelpers(commands.map(({ name }) => name)),
    renderOptionsAfterDashes(commands),
    completers,
    "complete -c mcp-meter -e",
    "complete -c mcp-meter -f",
    "complete -c mcp-meter -n __mcp_meter_after -x -a '(__mcp_meter_server)'",
    ...commands.map(
      ({ name, summary }) =>
        `complete -c mcp-meter -n __mcp_meter_first -a ${name} -d ${quoteForFish(summary)}`,
    ),
    ...commands.flatMap(renderOperands),
    ...groupOptions(commands).map(renderOption),
    "",
  ].join("\n");
}

function renderHelpers(names: readonly string[]): string {
  return `# True behind the first --, where the command of a server is.
function __mcp_meter_after
    contains -- -- (commandline -opc)
end

# True where no word is but the program's.
function __mcp_meter_first
    test (count (commandline -opc)) -eq 1
end

# True where the line is of one of these commands.
function __mcp_meter_is
    set -l line (commandline -opc)
    contains -- -- $line
    and return 1
    set -l command ${defaultCommand}
    if set -q line[2]; and contains -- $line[2] ${names.join(" ")}
        set command $line[2]
    end
    contains -- $command $argv
end
`;
}

const completers = `# Completes the command of a server as fish completes that command, and options behind -- as those of their command.
function __mcp_meter_server
    set -l line (commandline -opc)
    set -l before (__mcp_meter_behind $line[2])
    and set before (string escape -- $line[1]) $before
    set -l words (commandline -ct)
    set -l last (contains -i -- -- $line)
    while test (count $line) -gt $last
        set -p words (string escape -- $line[-1])
        set -e line[-1]
    end
    complete -C (string join ' ' -- $before $words)
end
`;

function renderOptionsAfterDashes(commands: readonly CompletedCommand[]): string {
  const rows = commands.flatMap(({ name, passesOptionsTo }) =>
    passesOptionsTo === undefined
      ? []
      : [`        case ${name}`, `            echo ${passesOptionsTo}`, "            return 0"],
  );
  return [
    "function __mcp_meter_behind",
    '    switch "$argv[1]"',
    ...rows,
    "    end",
    "    return 1",
    "end",
    "",
  ].join("\n");
}

function renderOperands({ name, words, takesFiles }: CompletedCommand): readonly string[] {
  const condition = `-n '__mcp_meter_is ${name}; and not __mcp_meter_first'`;
  if (takesFiles) return [`complete -c mcp-meter ${condition} -F`];
  if (words.length === 0) return [];
  return [`complete -c mcp-meter ${condition} -a ${quoteForFish(words.join(" "))}`];
}

function renderOption({ option, commands }: SharedOption): string {
  const { name, short, description, value } = option;
  return [
    "complete -c mcp-meter",
    `-n '__mcp_meter_is ${commands.join(" ")}'`,
    `-l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(value === undefined ? [] : [renderValueFlags(value)]),
    `-d ${quoteForFish(description)}`,
  ].join(" ");
}

// `-x` takes a value that is not a file, `-r -F` one that may be.
function renderValueFlags({ words, paths }: CompletedValue): string {
  const list = words.length === 0 ? "" : ` -a ${quoteForFish(words.join(" "))}`;
  if (paths === "folders") return "-x -a '(__fish_complete_directories)'";
  if (paths === "files") return `-r -F${list}`;
  return `-x${list}`;
}

const renderers: {
  readonly [shell in ShellId]: (commands: readonly CompletedCommand[]) => string;
} = { bash: renderBashScript, zsh: renderZshScript, fish: renderFishScript };
