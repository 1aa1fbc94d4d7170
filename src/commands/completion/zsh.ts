import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  defaultCommand,
  quoted,
} from "./completed-commands.ts";

export function zshScript(commands: readonly CompletedCommand[]): string {
  return [
    helpers,
    "_mcp_meter_commands() {",
    "  local -a found=(",
    ...commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`),
    "  )",
    "  _describe -t commands command found",
    "}",
    "",
    "# The command whose options follow the -- of another one.",
    "typeset -gA _mcp_meter_behind=(",
    ...commands.flatMap(({ name, optionsBehind }) =>
      optionsBehind === undefined ? [] : [`  ${name} ${optionsBehind}`],
    ),
    ")",
    "",
    "_mcp_meter_specs() {",
    "  case $1 in",
    ...commands.flatMap(commandRows),
    "    *) return 1 ;;",
    "  esac",
    "}",
    "",
    main,
  ].join("\n");
}

const helpers = `# The words given, or a file or folder.
_mcp_meter_path_or() {
  local complete=$1
  shift
  compadd -- "$@"
  $complete
}
`;

function commandRows({ name, options, words, takesFiles }: CompletedCommand): readonly string[] {
  const operands = takesFiles ? ["'*:file:_files'"] : words.length > 0 ? [operandSpec(words)] : [];
  return [
    `    ${name})`,
    "      mcp_meter_specs=(",
    ...[...options.flatMap(optionSpecs), ...operands].map((spec) => `        ${spec}`),
    "      )",
    "      ;;",
  ];
}

function operandSpec(words: readonly string[]): string {
  return quoted(`*:word:(${words.join(" ")})`);
}

function optionSpecs({ name, short, description, isRepeatable, value }: CompletedOption): string[] {
  const others = short === undefined ? "" : `(-${short} --${name})`;
  const before = isRepeatable ? "*" : others;
  const about = `[${description.replaceAll(/[\\[\]]/g, "\\$&")}]`;
  const after = value === undefined ? "" : valueSpec(value);
  const long = `--${name}${value === undefined ? "" : "="}`;
  const names = short === undefined ? [long] : [`-${short}`, long];
  return names.map((one) => quoted(`${before}${one}${about}${after}`));
}

function valueSpec({ placeholder, words, paths }: CompletedValue): string {
  const message = placeholder.replaceAll(":", "\\:");
  return `:${message}:${valueAction(words, paths)}`;
}

function valueAction(words: readonly string[], paths: CompletedValue["paths"]): string {
  const complete = paths === "folders" ? "_directories" : "_files";
  if (paths !== undefined && words.length === 0) return complete;
  if (paths !== undefined) return ` _mcp_meter_path_or ${complete} ${words.join(" ")}`;
  return words.length === 0 ? " " : `(${words.join(" ")})`;
}

const main = `_mcp_meter() {
  local command=${defaultCommand}
  local -a mcp_meter_specs
  local -i cut=\${words[(i)--]}
  if (( cut < CURRENT )) && [[ -n \${_mcp_meter_behind[$words[2]]} ]]; then
    (( CURRENT += 2 - cut ))
    words=("$words[1]" \${_mcp_meter_behind[$words[2]]} "\${(@)words[cut + 1, -1]}")
  elif (( cut < CURRENT )); then
    # The command of a server, by its own completion.
    shift $cut words
    (( CURRENT -= cut ))
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
