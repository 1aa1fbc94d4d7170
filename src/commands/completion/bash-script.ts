import {
  type CompletableCommand,
  type CompletableValue,
  groupOptions,
  quoteForShell,
} from "./completable-commands.ts";
import bashFunctions from "./completion.bash" with { type: "text" };

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
    "# Completes the value $3 of option $2 of command $1, after the text $4; fails if $3 is not a value.",
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
    "# Sets command to the command that takes the options after --; fails if a server's command follows --.",
    "_mcp_meter_forwarded_to() {",
    "  case $1 in",
    ...rows,
    "    *) return 1 ;;",
    "  esac",
    "}",
    "",
  ].join("\n");
}
