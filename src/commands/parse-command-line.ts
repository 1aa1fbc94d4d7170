import { UserError } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { OptionSpec, OptionSpecs, RawOptions } from "./command.ts";
import { commandSentences } from "./sentences.ts";

type ParsedWords = { readonly flags: RawOptions; readonly operands: readonly string[] };

// Uses no library, because every session would wait for it to load: docs/adr/0005-start.md.
export function readWords(
  words: readonly string[],
  specs: OptionSpecs,
  command: string,
): ParsedWords {
  const flags: { [name: string]: RawOptions[string] } = {};
  const operands: string[] = [];
  let at = 0;
  const next = (): string | undefined => words[at++];
  for (let word = next(); word !== undefined; word = next()) {
    if (!isOption(word)) {
      operands.push(word);
      continue;
    }
    const { option, inlineValue } = splitOption(word);
    const [name, spec] = findOption(option, specs) ?? rejectOption(option, specs, command);
    if (spec.value === undefined) {
      flags[name] = inlineValue ?? true;
      continue;
    }
    if (isValueLeftOut(spec, inlineValue, words[at])) {
      flags[name] = true;
      continue;
    }
    const value = inlineValue ?? requireValue(name, next());
    if (value === "") throw new UserError(commandSentences.optionMissing(name));
    flags[name] =
      spec.isRepeatable === true
        ? [flags[name] ?? [], value].flat().map(String)
        : requireSingle(flags, name, value);
  }
  return { flags, operands };
}

export type OptionWords = {
  readonly name: string;
  readonly value: string;
  // The index of the option's first word.
  readonly at: number;
  readonly length: number;
};

// Groups the words of each option, in order. Any other word and any unknown option is its own group.
export function groupWords(words: readonly string[], specs: OptionSpecs): readonly OptionWords[] {
  const groups: OptionWords[] = [];
  for (let at = 0; at < words.length; at += groups.at(-1)?.length ?? 1) {
    const [word = "", next = ""] = words.slice(at);
    const { option, inlineValue } = splitOption(word);
    const [name, spec] = findOption(option, specs) ?? [word, { description: "" }];
    const isAlone = spec.value === undefined || isValueLeftOut(spec, inlineValue, words[at + 1]);
    const isPair = !isAlone && inlineValue === undefined;
    groups.push({
      name,
      value: inlineValue ?? (isPair ? next : "true"),
      at,
      length: isPair ? 2 : 1,
    });
  }
  return groups;
}

function isValueLeftOut(
  { followingValue }: OptionSpec,
  inlineValue: string | undefined,
  word: string | undefined,
): boolean {
  if (followingValue === undefined || inlineValue !== undefined || word === "") return false;
  return word === undefined || !followingValue.test(word);
}

function requireSingle(flags: RawOptions, name: string, value: string): string {
  if (flags[name] !== undefined) throw new UserError(commandSentences.optionTwice(name));
  return value;
}

function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

function splitOption(word: string): {
  readonly option: string;
  readonly inlineValue: string | undefined;
} {
  const cut = word.indexOf("=");
  return cut < 0
    ? { option: word, inlineValue: undefined }
    : { option: word.slice(0, cut), inlineValue: word.slice(cut + 1) };
}

// True if the words ask for JSON on stdout. Works on words that `readWords` rejects, too.
export function printsJson(words: readonly string[]): boolean {
  const options = words.map((word, at) => {
    const { option, inlineValue } = splitOption(word);
    return { option, value: inlineValue ?? words[at + 1] };
  });
  const hasOutputFile = options.some(
    ({ option, value }) => (option === "-o" || option === "--output") && value !== "-",
  );
  const isJson = options.some(
    ({ option, value }) => option === "--json" || (option === "--format" && value === "json"),
  );
  return isJson && !hasOutputFile;
}

export function findOption(option: string, specs: OptionSpecs): [string, OptionSpec] | undefined {
  const entries = Object.entries(specs);
  const named = entries.find(
    ([name, { short }]) =>
      option === `--${name}` || (short !== undefined && option === `-${short}`),
  );
  return named ?? findByFormerName(option, entries);
}

// If two options share a former name, returns the former name: the command then chooses the option.
function findByFormerName(
  option: string,
  entries: readonly [string, OptionSpec][],
): [string, OptionSpec] | undefined {
  const [first, second] = entries.filter(
    ([, { formerName }]) => formerName !== undefined && option === `--${formerName}`,
  );
  return first && second ? [option.slice("--".length), first[1]] : first;
}

function findByUniquePrefix(prefix: string, options: readonly string[]): string | undefined {
  const matches = prefix === "" ? [] : options.filter((name) => name.startsWith(prefix));
  return matches.length === 1 ? matches[0] : undefined;
}

function rejectOption(option: string, specs: OptionSpecs, command: string): never {
  const name = option.replace(/^-+/, "");
  if (name === "url" && command === "run") throw new UserError(commandSentences.urlWithoutServe());
  const nearest =
    findShortInOtherCase(name, specs) ??
    suggestOptionWithChoice(name, specs) ??
    findNearestName(name, Object.keys(specs)) ??
    findByUniquePrefix(name, Object.keys(specs));
  throw new UserError(commandSentences.optionUnknown(option, command, nearest));
}

function suggestOptionWithChoice(name: string, specs: OptionSpecs): string | undefined {
  const [option] =
    Object.entries(specs).find(([, { choices }]) => choices?.includes(name) === true) ?? [];
  return option && `${option} ${name}`;
}

function findShortInOtherCase(name: string, specs: OptionSpecs): string | undefined {
  const shorts = Object.values(specs).map(({ short }) => short);
  return shorts.find((short) => short?.toLowerCase() === name.toLowerCase());
}

// A negative number is a value despite its dash, because no option begins with a digit.
const negativeNumber = /^-\.?\d/;

function requireValue(name: string, next: string | undefined): string {
  const isMissing = next === undefined || (isOption(next) && !negativeNumber.test(next));
  if (isMissing) throw new UserError(commandSentences.optionMissing(name));
  return next;
}
