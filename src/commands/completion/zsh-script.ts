import {
  type CompletableCommand,
  type CompletableOption,
  type CompletableValue,
  defaultCommand,
  quoteForShell,
} from "./completable-commands.ts";

export function renderZshScript(commands: readonly CompletableCommand[]): string {
  return [
    zshHelpers,
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
    zshMain,
  ].join("\n");
}

const zshHelpers = `# Offers the given words, and files or folders.
_mcp_meter_path_or() {
  local complete=$1
  shift
  compadd -- "$@"
  $complete
}
`;

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

function renderValueSpec({ placeholder, words, paths }: CompletableValue): string {
  const message = placeholder.replaceAll(":", "\\:");
  return `:${message}:${chooseValueAction(words, paths)}`;
}

function chooseValueAction(words: readonly string[], paths: CompletableValue["paths"]): string {
  const complete = paths === "folders" ? "_directories" : "_files";
  if (paths !== undefined && words.length === 0) return complete;
  if (paths !== undefined) return ` _mcp_meter_path_or ${complete} ${words.join(" ")}`;
  return words.length === 0 ? " " : `(${words.join(" ")})`;
}

const zshMain = `_mcp_meter() {
  local command=${defaultCommand}
  local -a mcp_meter_specs
  local -i separator=\${words[(i)--]}
  if (( separator < CURRENT )) && [[ -n \${_mcp_meter_forwarded_to[$words[2]]} ]]; then
    # Complete the options after -- as options of the command that receives them.
    (( CURRENT += 2 - separator ))
    words=("$words[1]" \${_mcp_meter_forwarded_to[$words[2]]} "\${(@)words[separator + 1, -1]}")
  elif (( separator < CURRENT )); then
    # Complete the server's command with its own completion.
    shift $separator words
    (( CURRENT -= separator ))
    _normal
    return
  fi
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _mcp_meter_commands
    return
  fi
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    (( CURRENT -= 1 ))
  fi
  _mcp_meter_specs $command && _arguments -S $mcp_meter_specs
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _mcp_meter "$@"
else
  compdef _mcp_meter mcp-meter
fi
`;
