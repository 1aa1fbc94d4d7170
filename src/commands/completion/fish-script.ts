import {
  type CompletableCommand,
  type CompletableValue,
  defaultCommand,
  groupOptions,
  quoteForFish,
  type SharedOption,
} from "./completable-commands.ts";

export function renderFishScript(commands: readonly CompletableCommand[]): string {
  return [
    `# True after the first --, where the server's command is.
function __mcp_meter_after
    contains -- -- (commandline -opc)
end

# True if only the program's name has been typed.
function __mcp_meter_first
    test (count (commandline -opc)) -eq 1
end

# True if the command line is for one of these commands.
function __mcp_meter_is
    set -l line (commandline -opc)
    contains -- -- $line
    and return 1
    set -l command ${defaultCommand}
    if set -q line[2]; and contains -- $line[2] ${commands.map(({ name }) => name).join(" ")}
        set command $line[2]
    end
    contains -- $command $argv
end
`,
    renderFishForwarding(commands),
    serverCompleter,
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

const serverCompleter = `# Completes a server's command as fish itself would, and options after -- as options of the command that receives them.
function __mcp_meter_server
    set -l line (commandline -opc)
    set -l before (__mcp_meter_forwarded_to $line[2])
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

function renderFishForwarding(commands: readonly CompletableCommand[]): string {
  const rows = commands.flatMap(({ name, passesOptionsTo }) =>
    passesOptionsTo === undefined
      ? []
      : [`        case ${name}`, `            echo ${passesOptionsTo}`, "            return 0"],
  );
  return [
    "# Prints the command that takes the options after --; fails if a server's command follows --.",
    "function __mcp_meter_forwarded_to",
    '    switch "$argv[1]"',
    ...rows,
    "    end",
    "    return 1",
    "end",
    "",
  ].join("\n");
}

function renderOperands({ name, words, takesFiles }: CompletableCommand): readonly string[] {
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

// With `-x`, the value is not a file; with `-r -F`, it may be a file.
function renderValueFlags({ words, paths }: CompletableValue): string {
  const list = words.length === 0 ? "" : ` -a ${quoteForFish(words.join(" "))}`;
  if (paths === "folders") return "-x -a '(__fish_complete_directories)'";
  if (paths === "files") return `-r -F${list}`;
  return `-x${list}`;
}
