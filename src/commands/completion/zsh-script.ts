import {
  type CompletableCommand,
  type CompletableOption,
  type CompletableValue,
  quoteForShell,
} from "./completable-commands.ts";
import zshFunctions from "./completion.zsh" with { type: "text" };

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
