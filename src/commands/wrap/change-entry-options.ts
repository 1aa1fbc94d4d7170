import {
  type ConfiguredEntry,
  countWordsBeforeServer,
  findMeterWord,
} from "#clients/configured-entries.ts";
import { UserError } from "#kit/errors.ts";
import { findMissingMeter } from "#state/storage/clients/find-settings.ts";
import { runCommand } from "../run/index.ts";
import { groupWords, type OptionWords, readWords } from "../parse-command-line.ts";

export type WantedOptions = {
  readonly action?: "wrap" | "unwrap" | "list" | "trim" | "untrim";
  /** Options of `run`. Servers that are already wrapped get them as well. */
  readonly flags?: readonly string[] | undefined;
  /** Names of the tools that `trim` hides, or that `untrim` shows again. */
  readonly listTools?: (entry: ConfiguredEntry) => readonly string[];
};

type ChangedOptions = {
  readonly front: readonly string[];
  /** Indexes of the words to remove. */
  readonly dropped: readonly number[];
};

type PlannedOptions = ChangedOptions | "unchanged" | "contradictory_options" | "meter_missing";

export function buildFrontWords(
  command: string,
  rawName: string,
  flags: readonly string[],
): readonly string[] {
  const hasExitRule = flags.some((flag) => /^--exit-code(?:=|$)/.test(flag));
  return [
    command,
    ...buildServerFlag(rawName),
    ...(hasExitRule ? [] : ["--exit-code", "child"]),
    ...flags,
    "--",
  ];
}

// As a separate word, a name that begins with a dash would be taken for an option.
function buildServerFlag(rawName: string): readonly string[] {
  if (rawName === "") return [];
  return rawName.startsWith("-") ? [`--server=${rawName}`] : ["--server", rawName];
}

export function planOptions(
  entry: ConfiguredEntry,
  { action = "wrap", flags, listTools = () => [] }: WantedOptions,
): PlannedOptions {
  if (action === "wrap") return changeOptions(entry, flags);
  if (action === "trim") return changeOptions(entry, listTools(entry).flatMap(writeHideOption));
  return action === "untrim" ? dropHideOptions(entry, new Set(listTools(entry))) : "unchanged";
}

/** For a tool `-x`, writes `--hide=-x`: in `--hide -x`, the word `-x` would count as an option. */
export function writeHideOption(tool: string): readonly string[] {
  return tool.startsWith("-") ? [`--hide=${tool}`] : ["--hide", tool];
}

function dropHideOptions(entry: ConfiguredEntry, tools: ReadonlySet<string>): PlannedOptions {
  const options = listOptions(entry).filter(
    ({ name, value }) => name === "hide" && tools.has(value),
  );
  return options.length === 0 ? "unchanged" : { front: [], dropped: options.flatMap(listIndexes) };
}

export function listHidden(entry: ConfiguredEntry): readonly string[] {
  return listOptions(entry).flatMap(({ name, value }) => (name === "hide" ? [value] : []));
}

function listIndexes({ at, length }: OptionWords): readonly number[] {
  return Array.from({ length }, (_, offset) => at + offset);
}

export function changeOptions(
  { words }: Pick<ConfiguredEntry, "words">,
  flags: readonly string[] = [],
): PlannedOptions {
  const wordsBeforeServer = words.slice(0, countWordsBeforeServer(words)).map(String);
  if (findMissingMeter(wordsBeforeServer) !== undefined) return "meter_missing";
  const present = listOptions({ words });
  const wanted = groupWords(flags, runCommand.options);
  const isPresent = ({ name, value }: OptionWords): boolean =>
    present.some((option) => option.name === name && option.value === value);
  const added = wanted.filter((option) => !isPresent(option));
  if (added.length === 0) return "unchanged";
  const keys = new Set(added.map(makeOptionKey));
  const dropped = present.filter((option) => keys.has(makeOptionKey(option))).flatMap(listIndexes);
  const addedWords = added.flatMap(({ at, length }) => flags.slice(at, at + length));
  const kept = wordsBeforeServer.filter(
    (_, at) => at >= findFirstOption(wordsBeforeServer) && !dropped.includes(at),
  );
  return isValid([...kept.slice(0, -1), ...addedWords])
    ? { front: addedWords, dropped }
    : "contradictory_options";
}

/** The options of mcp-meter in a wrapped entry. `at` is an index into the entry's words. */
export function listOptions({ words }: Pick<ConfiguredEntry, "words">): readonly OptionWords[] {
  const wordsBeforeServer = words.slice(0, countWordsBeforeServer(words)).map(String);
  const first = findFirstOption(wordsBeforeServer);
  return groupWords(wordsBeforeServer.slice(first, -1), runCommand.options).map((option) => {
    return { ...option, at: option.at + first };
  });
}

function findFirstOption(wordsBeforeServer: readonly string[]): number {
  return wordsBeforeServer.indexOf(findMeterWord(wordsBeforeServer) ?? "") + 1;
}

// Options with the same key replace each other. The key of a budget leaves out only the amount. The key of `--hide` or
// `--only` includes the pattern, so different patterns apply side by side.
function makeOptionKey({ name, value }: OptionWords): string {
  if (name === "hide" || name === "only") return `${name} ${value}`;
  if (name !== "budget") return name;
  const amountAt = value.lastIndexOf("=") + 1;
  const rest = value.slice(amountAt).replace(/^(\$?)[\d.]+[kM]?/i, "$1");
  return `${name} ${value.slice(0, amountAt)}${rest}`;
}

function isValid(words: readonly string[]): boolean {
  try {
    const { flags } = readWords(words, runCommand.options, "run");
    runCommand.check({ options: flags, operands: [], child: ["server"] });
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
