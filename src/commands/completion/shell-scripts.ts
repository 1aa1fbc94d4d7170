import {
  type Command,
  describeOption,
  generalOptions,
  helpOptions,
  type OptionSpec,
} from "../command.ts";
import bashFunctions from "./completion.bash" with { type: "text" };
import zshFunctions from "./completion.zsh" with { type: "text" };
import fishFunctions from "./completion.fish" with { type: "text" };

export function renderBashScript(commands: readonly CompletableCommand[]): string {
  return [
    bashFunctions,
    `_mcp_meter_commands=(${commands.map(({ name }) => name).join(" ")})\n`,
    renderOptionTable(commands),
    renderOperandTable(commands),
    renderPassedOptions(commands),
    "complete -o bashdefault -o default -F _mcp_meter mcp-meter",
    "",
  ].join("\n");
}

function renderOptionTable(commands: readonly CompletableCommand[]): string {
  const lists = commands.map(({ name, options }) => {
    const words = options.flatMap(({ name: option, short, isRepeatable }) => [
      // A trailing * marks an option that may be repeated.
      `--${option}${isRepeatable ? "\\*" : ""}`,
      ...(short === undefined ? [] : [`-${short}`]),
    ]);
    return `    ${name}) _mcp_meter_options=(${words.join(" ")}) ;;`;
  });
  const values = groupOptions(commands).flatMap(({ option, commands: owners }) => {
    const { name, short, value } = option;
    if (value === undefined) return [];
    const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
    const patterns = owners.flatMap((owner) =>
      names.map((spelling) => quoteForShell(`${owner} ${spelling}`)),
    );
    return [
      `    ${patterns.join(" | ")})`,
      ...renderOffers(value).map((line) => `      ${line}`),
      "      ;;",
    ];
  });
  return [
    "_mcp_meter_list() {",
    "  case $1 in",
    ...lists,
    "  esac",
    "}",
    "",
    "# Completes $3 as the value of option $2 of command $1. $4 is the text before $3 in the same word.",
    "# Fails if $3 cannot be a value of option $2.",
    "_mcp_meter_value() {",
    '  case "$1 $2" in',
    ...values,
    "    *) return 1 ;;",
    "  esac",
    "}",
    "",
  ].join("\n");
}

function renderOffers({ isOptional, words, paths }: CompletableValue): readonly string[] {
  const lines = [
    ...(isOptional ? ["[[ $3 == -* ]] && return 1"] : []),
    ...(words.length === 0
      ? []
      : [`_mcp_meter_offer "$3" "$4" ${words.map(quoteForShell).join(" ")}`]),
    ...(paths === undefined
      ? []
      : [`_mcp_meter_paths ${paths === "files" ? "default" : "dirnames"}`]),
  ];
  return lines.length === 0 ? [":"] : lines;
}

function renderOperandTable(commands: readonly CompletableCommand[]): string {
  const rows = commands.flatMap(({ name, words, takesFiles }) => {
    if (takesFiles) return [`    ${name}) _mcp_meter_paths default ;;`];
    if (words.length === 0) return [];
    return [`    ${name}) _mcp_meter_offer "$2" "" ${words.map(quoteForShell).join(" ")} ;;`];
  });
  return ["_mcp_meter_operand() {", "  case $1 in", ...rows, "  esac", "}", ""].join("\n");
}

function renderPassedOptions(commands: readonly CompletableCommand[]): string {
  const rows = commands.flatMap(({ name, passesOptionsTo }) =>
    passesOptionsTo === undefined ? [] : [`    ${name}) command=${passesOptionsTo} ;;`],
  );
  return [
    "# Sets $command to the command that takes the options after --; fails if a server's command follows --.",
    "_mcp_meter_forwarded_to() {",
    "  case $1 in",
    ...rows,
    "    *) return 1 ;;",
    "  esac",
    "}",
    "",
  ].join("\n");
}

export function renderZshScript(commands: readonly CompletableCommand[]): string {
  return [
    "_mcp_meter_commands() {",
    "  local -a found=(",
    ...commands.map(({ name, summary }) => `    ${quoteForShell(`${name}:${summary}`)}`),
    "  )",
    "  _describe -t commands command found",
    "}",
    "",
    "# Commands that take the options of another command after --.",
    "typeset -gA _mcp_meter_forwarded_to=(",
    ...commands.flatMap(({ name, passesOptionsTo }) =>
      passesOptionsTo === undefined ? [] : [`  ${name} ${passesOptionsTo}`],
    ),
    ")",
    "",
    "_mcp_meter_specs() {",
    "  case $1 in",
    ...commands.flatMap(renderCommandRows),
    "    *) return 1 ;;",
    "  esac",
    "}",
    "",
    zshFunctions,
  ].join("\n");
}

function renderCommandRows({
  name,
  options,
  words,
  takesFiles,
}: CompletableCommand): readonly string[] {
  const operands = takesFiles
    ? ["'*:file:_files'"]
    : words.length > 0
      ? [quoteForShell(`*:word:(${words.join(" ")})`)]
      : [];
  return [
    `    ${name})`,
    "      mcp_meter_specs=(",
    ...[...options.flatMap(renderOptionSpecs), ...operands].map((spec) => `        ${spec}`),
    "      )",
    "      ;;",
  ];
}

function renderOptionSpecs({
  name,
  short,
  description,
  isRepeatable,
  value,
}: CompletableOption): string[] {
  const exclusions = short === undefined ? "" : `(-${short} --${name})`;
  const prefix = isRepeatable ? "*" : exclusions;
  const explanation = `[${description.replaceAll(/[\\[\]]/g, "\\$&")}]`;
  const suffix = value === undefined ? "" : renderValueSpec(value);
  const long = `--${name}${value === undefined ? "" : "="}`;
  const names = short === undefined ? [long] : [`-${short}`, long];
  return names.map((spelling) => quoteForShell(`${prefix}${spelling}${explanation}${suffix}`));
}

function renderValueSpec({ placeholder, isOptional, words, paths }: CompletableValue): string {
  const message = placeholder.replaceAll(":", "\\:");
  return `${isOptional ? "::" : ":"}${message}:${chooseValueAction(words, paths)}`;
}

function chooseValueAction(words: readonly string[], paths: CompletableValue["paths"]): string {
  const complete = paths === "folders" ? "_directories" : "_files";
  if (paths !== undefined && words.length === 0) return complete;
  if (paths !== undefined) return ` _mcp_meter_path_or ${complete} ${words.join(" ")}`;
  return words.length === 0 ? " " : `(${words.join(" ")})`;
}

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

// Fish itself completes an optional value only after `=`. The rendered line also completes it as the next word.
function renderNextWord(
  isCommand: string,
  { name, short }: CompletableOption,
  value: CompletableValue,
): string {
  const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  const condition = `-n '${isCommand}; and __mcp_meter_follows ${names.join(" ")}'`;
  return `complete -c mcp-meter ${condition} ${renderValueFlags(value)}`;
}

// `-x` and `-r` require a value; `-F` offers files.
function renderValueFlags({ isOptional, words, paths }: CompletableValue): string {
  const [noFile, file] = isOptional ? ["-f", "-F"] : ["-x", "-r -F"];
  const list = words.length === 0 ? "" : ` -a ${quoteForFish(words.join(" "))}`;
  if (paths === "folders") return `${noFile} -a '(__fish_complete_directories)'`;
  return `${paths === "files" ? file : noFile}${list}`;
}

export function quoteForFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

export type CompletableValue = {
  readonly placeholder: string;
  // True if the option may stand without its value: the next word may then be another option.
  readonly isOptional: boolean;
  readonly words: readonly string[];
  readonly paths: "files" | "folders" | undefined;
};

export type CompletableOption = {
  readonly name: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly isRepeatable: boolean;
  readonly value: CompletableValue | undefined;
};

export type CompletableCommand = {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletableOption[];
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  // The command whose options follow `--`.
  readonly passesOptionsTo: string | undefined;
};

export function describeCommands(commands: readonly Command[]): readonly CompletableCommand[] {
  const described = commands.map(({ name, summary, options, operands = [], passesOptionsTo }) => ({
    name,
    summary,
    options: describeOptions({ ...options, ...generalOptions }),
    words: typeof operands === "string" ? [] : operands,
    takesFiles: operands === "files",
    passesOptionsTo,
  }));
  const help = {
    name: "help",
    summary: "Show help for a command",
    options: describeOptions(helpOptions),
    words: described.map(({ name }) => name),
    takesFiles: false,
    passesOptionsTo: undefined,
  };
  return [...described, help];
}

function describeOptions(specs: Command["options"]): readonly CompletableOption[] {
  return Object.entries(specs).map(([name, spec]) => ({
    name,
    short: spec.short,
    description: describeOption(spec),
    isRepeatable: spec.isRepeatable === true,
    value: describeValue(spec),
  }));
}

function describeValue({ value, followingValue, choices = [], isPath }: OptionSpec) {
  if (value === undefined) return undefined;
  const paths = value === "DIR" ? "folders" : "files";
  return {
    placeholder: value,
    isOptional: followingValue !== undefined,
    words: choices,
    paths: isPath === true ? paths : undefined,
  } as const;
}

export type SharedOption = {
  readonly option: CompletableOption;
  readonly commands: readonly string[];
};

export function groupOptions(commands: readonly CompletableCommand[]): readonly SharedOption[] {
  const shared = new Map<string, { option: CompletableOption; commands: string[] }>();
  for (const { name, options } of commands) {
    for (const option of options) {
      const key = JSON.stringify(option);
      const known = shared.get(key);
      if (known) known.commands.push(name);
      else shared.set(key, { option, commands: [name] });
    }
  }
  return [...shared.values()];
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
