import { findNearestName } from "#kit/text/match-names.ts";
import { UserError } from "#kit/errors.ts";
import { parseAmount, parseByteSize } from "#kit/text/numbers.ts";
import { parseAge } from "#kit/text/durations.ts";
import type { RawOptions, OptionSpecs } from "./command.ts";
import { commandSentences } from "./sentences.ts";
import { type FolderEnv, findHomeFolder } from "#state/storage/folders.ts";
import type { Retention } from "#state/storage/prune/choose-files.ts";
import type { GrowthAllowance } from "#lock/lock-limits.ts";

const secondsMax = 86_400;

export function readText(options: RawOptions, name: string): string | undefined {
  const value = options[name];
  if (value === undefined || typeof value === "boolean") return undefined;
  const text = typeof value === "string" ? value : value.at(-1);
  if (text === "") throw new UserError(commandSentences.optionMissing(name));
  return text;
}

export function readFlag(options: RawOptions, name: string): boolean {
  const value = options[name];
  if (value === undefined || typeof value === "boolean") return value ?? false;
  const text = readText(options, name) ?? "true";
  if (["true", "1", "yes"].includes(text)) return true;
  if (["false", "0", "no"].includes(text)) return false;
  throw new UserError(commandSentences.optionValue(name, text, "true or false"));
}

export function readList(options: RawOptions, name: string): readonly string[] {
  const value = options[name];
  if (value === undefined || typeof value === "boolean") return [];
  const list = typeof value === "string" ? [value] : value;
  if (list.includes("")) throw new UserError(commandSentences.optionMissing(name));
  return list;
}

export function parseOption<Value>(
  options: RawOptions,
  name: string,
  parse: (text: string) => Value | undefined,
  wanted: string,
): Value | undefined {
  const text = readText(options, name);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value !== undefined) return value;
  throw new UserError(commandSentences.optionValue(name, text, wanted));
}

export function parseChoice<const Choice extends string>(
  options: RawOptions,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(options, name);
  return text === undefined ? undefined : requireChoice(name, text, choices);
}

export function requireChoice<const Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((allowed) => allowed === text);
  if (choice !== undefined) return choice;
  const nearest = findNearestName(text, choices);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  throw new UserError(
    `${commandSentences.optionValue(name, text, `one of ${choices.join(", ")}`)}${hint}`,
  );
}

export function parseCount(options: RawOptions, name: string, min: number): number | undefined {
  const parse = (text: string): number | undefined => {
    const number = parseAmount(text);
    return number !== undefined && number >= min ? number : undefined;
  };
  return parseOption(options, name, parse, `a whole number of at least ${min}`);
}

export function parseDurationMs(options: RawOptions, name: string): number | undefined {
  const wanted = `more than 0 and at most ${secondsMax} seconds, such as 30 or 2m`;
  return parseOption(options, name, toMilliseconds, wanted);
}

function toMilliseconds(text: string): number | undefined {
  const isNumber = /^\d+(\.\d+)?$/.test(text);
  const ms = isNumber ? Math.ceil(Number(text) * 1000) : (parseAge(text) ?? 0);
  return ms > 0 && ms <= secondsMax * 1000 ? ms : undefined;
}

export function parseTokens(options: RawOptions, name: string): number | undefined {
  return parseOption(options, name, parseAmount, "a number of tokens such as 2000 or 20k");
}

export function parsePercent(text: string): number | undefined {
  const digits = /^(\d{1,9}(?:\.\d+)?)%?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function parseWholePercent(options: RawOptions, name: string): number | undefined {
  return parseOption(options, name, toWholePercent, "a whole percentage from 1 to 100");
}

function toWholePercent(text: string): number | undefined {
  const percent = parsePercent(text) ?? 0;
  return Number.isInteger(percent) && percent >= 1 && percent <= 100 ? percent : undefined;
}

export function parseGrowth(options: RawOptions, name: string): GrowthAllowance | undefined {
  return parseOption(options, name, toGrowth, "a percentage such as 5%, or tokens such as 200");
}

function toGrowth(text: string): GrowthAllowance | undefined {
  const percent = text.endsWith("%") ? parsePercent(text) : undefined;
  if (percent !== undefined) return { share: percent / 100 };
  const tokens = parseAmount(text);
  return tokens === undefined ? undefined : { tokens };
}

export function parseRetention(
  options: RawOptions,
  { age, size }: { readonly age: string; readonly size: string },
): Retention {
  return {
    olderThanMs: parseRetentionLimit(
      options,
      age,
      parseRetentionAge,
      "an age such as 24h, 90d or 4w, or off",
    ),
    keepBytes: parseRetentionLimit(
      options,
      size,
      parseByteSize,
      "a size such as 500M or 1.5G, or off",
    ),
  };
}

// Rejects minutes: someone who writes 6m may mean months.
function parseRetentionAge(text: string): number | undefined {
  const ms = text.endsWith("m") ? undefined : parseAge(text);
  return ms === 0 ? undefined : ms;
}

function parseRetentionLimit(
  options: RawOptions,
  name: string,
  parse: (text: string) => number | undefined,
  wanted: string,
): number | undefined {
  return readText(options, name) === "off" ? undefined : parseOption(options, name, parse, wanted);
}

export function hasRetention({ olderThanMs, keepBytes }: Retention): boolean {
  return olderThanMs !== undefined || keepBytes !== undefined;
}

const highestPort = 65_535;

// The default is 0, which means any free port.
export function parsePort(options: RawOptions): number {
  const parse = (text: string): number | undefined => {
    const port = parseAmount(text);
    return port !== undefined && port <= highestPort ? port : undefined;
  };
  return parseOption(options, "port", parse, `a whole number from 0 to ${highestPort}`) ?? 0;
}

// If the value of an environment variable causes this error, the variable is ignored.
export class OptionConflict extends UserError {}

export function makeConflict(first: string, second: string): OptionConflict {
  return new OptionConflict(commandSentences.optionsContradict(first, second));
}

export function rejectArguments([first]: readonly string[]): void {
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
}

export function expandPaths(specs: OptionSpecs, options: RawOptions, env: FolderEnv): RawOptions {
  const paths = Object.entries(options).flatMap(([name, value]) => {
    if (specs[name]?.isPath !== true || value === undefined || typeof value === "boolean")
      return [];
    const expand = (path: string): string => {
      const expanded = expandHome(path, env);
      if (expanded !== undefined) return expanded;
      throw new UserError(commandSentences.optionHomeMissing(name, path));
    };
    return [[name, typeof value === "string" ? expand(value) : value.map(expand)] as const];
  });
  return { ...options, ...Object.fromEntries(paths) };
}

// Expands `~` as a shell would, because clients start servers without a shell. Leaves `~name` unchanged.
function expandHome(path: string, env: FolderEnv): string | undefined {
  if (path !== "~" && !path.startsWith("~/")) return path;
  const home = findHomeFolder(env);
  return home === undefined ? undefined : `${home}${path.slice(1)}`;
}
