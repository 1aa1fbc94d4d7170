import {
  type CompletableCommand,
  type CompletableOption,
  type CompletableValue,
  groupOptions,
  type SharedOption,
} from "./completable-commands.ts";
import fishFunctions from "./completion.fish" with { type: "text" };

export function renderFishScript(commands: readonly CompletableCommand[]): string {
  return [
    fishFunctions,
    `set -g __mcp_meter_commands ${commands.map(({ name }) => name).join(" ")}\n`,
    renderFishForwarding(commands),
    "complete -c mcp-meter -e",
    "complete -c mcp-meter -f",
    "complete -c mcp-meter -n __mcp_meter_after -x -a '(__mcp_meter_server)'",
    ...commands.map(
      ({ name, summary }) =>
        `complete -c mcp-meter -n __mcp_meter_first -a ${name} -d ${quoteForFish(summary)}`,
    ),
    ...commands.flatMap(renderOperands),
    ...groupOptions(commands).flatMap(renderOption),
    "",
  ].join("\n");
}

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

function renderOption({ option, commands }: SharedOption): readonly string[] {
  const { name, short, description, value } = option;
  const isCommand = `__mcp_meter_is ${commands.join(" ")}`;
  const line = [
    "complete -c mcp-meter",
    `-n '${isCommand}'`,
    `-l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(value === undefined ? [] : [renderValueFlags(value)]),
    `-d ${quoteForFish(description)}`,
  ].join(" ");
  return value?.isOptional === true ? [line, renderNextWord(isCommand, option, value)] : [line];
}

// Fish itself completes an optional value only after `=`. This line completes it as the next word.
function renderNextWord(
  isCommand: string,
  { name, short }: CompletableOption,
  value: CompletableValue,
): string {
  const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  const condition = `-n '${isCommand}; and __mcp_meter_follows ${names.join(" ")}'`;
  return `complete -c mcp-meter ${condition} ${renderValueFlags(value)}`;
}

// With `-x`, the value is required and not a file; with `-r -F`, it may be a file.
function renderValueFlags({ isOptional, words, paths }: CompletableValue): string {
  const [noFile, file] = isOptional ? ["-f", "-F"] : ["-x", "-r -F"];
  const list = words.length === 0 ? "" : ` -a ${quoteForFish(words.join(" "))}`;
  if (paths === "folders") return `${noFile} -a '(__fish_complete_directories)'`;
  return `${paths === "files" ? file : noFile}${list}`;
}

export function quoteForFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
