import { UserError } from "#kit/errors.ts";
import { configBytesMax } from "../../limits.ts";
import { readWholeFile } from "#kit/os/named-file.ts";
import { placesIn } from "#kit/syntax/part.ts";
import { type Mismatch, placeOf, validated } from "#kit/text/validation.ts";
import { isObject, memberAt } from "#wire/json.ts";
import { validate } from "../../../../dist/validators/config.js";
import { parseJsonc } from "#kit/syntax/jsonc.ts";
import { configSentences } from "./sentences.ts";

// A file with more mistakes is left out whole.
export const configMistakesMax = 100;

export type RawOption = string | boolean | readonly string[];

type ConfigValue = string | number | boolean | readonly unknown[];

/** By config.schema.json: options of `run` by their long names, with `_` for `-`. */
export type ConfigFile = {
  readonly [name: string]: ConfigValue | { readonly [server: string]: ConfigSection };
};

type ConfigSection = { readonly [name: string]: ConfigValue };

export type ConfigOptions = ReadonlyMap<string, RawOption>;

export type ConfigLayer = {
  readonly general: ConfigOptions;
  readonly servers: ReadonlyMap<string, ConfigOptions>;
  /** Has an effect in the system's file only. */
  readonly locked: readonly string[];
};

export type ConfigMistake = {
  readonly file: string;
  readonly fault: string;
  /** Its place, or a system error code: never a value of the file, because it goes to records. */
  readonly what: string;
};

type LenientConfig = {
  readonly layer: ConfigLayer;
  readonly mistakes: readonly ConfigMistake[];
};

export function readConfigFile(file: string): ConfigLayer {
  const parsed = parseFile(file);
  if ("fault" in parsed) throw new UserError(configSentences.configMalformed(file, parsed.fault));
  const read = validated(parsed.value, validate);
  if ("fault" in read) throw new UserError(configSentences.configMalformed(file, read.fault));
  return layerFrom(read.value);
}

/** Leaves out options with a mistake. A file that cannot be parsed has none, except for a wish to refuse calls in that case. */
export function readConfigLeniently(file: string): LenientConfig {
  const parsed = parseFile(file);
  if (!("fault" in parsed)) return withoutMismatches(file, parsed.value);
  const { fault, what, recovered } = parsed;
  const general = new Map<string, RawOption>();
  if (memberAt(recovered, "on_fault") === "closed") general.set("on-fault", "closed");
  return { layer: { general, servers: new Map(), locked: [] }, mistakes: [{ file, fault, what }] };
}

type ParsedFile =
  | { readonly value: unknown }
  | { readonly fault: string; readonly what: string; readonly recovered?: unknown };

function parseFile(file: string): ParsedFile {
  const content = readWholeFile(file, configBytesMax);
  if ("fault" in content) return { fault: content.fault, what: content.fault };
  const text = new TextDecoder().decode(content.bytes);
  const read = parseJsonc(text);
  if (!("fault" in read)) return { value: read.value };
  const { line } = placesIn(text)(read.offset);
  const { recovered } = read;
  return {
    fault: `line ${line}: ${read.fault}`,
    what: `not valid JSON in line ${line}`,
    recovered,
  };
}

function withoutMismatches(file: string, value: unknown): LenientConfig {
  // A copy without a prototype that the file defines.
  const left: unknown = JSON.parse(JSON.stringify(value));
  const mistakes: ConfigMistake[] = [];
  for (;;) {
    const read = validated(left, validate);
    if (!("fault" in read)) return { layer: layerFrom(read.value), mistakes };
    const steps = removable(read);
    const isLast = mistakes.length === configMistakesMax || !remove(left, steps);
    if (mistakes.length < configMistakesMax)
      mistakes.push({ file, fault: read.fault, what: whatIsWrong(steps, read) });
    if (isLast) return { layer: layerFrom({}), mistakes };
  }
}

const lists: ReadonlySet<string> = new Set(["budgets", "locked"]);

function removable({ path }: Mismatch): readonly string[] {
  const depth = path[0] === "servers" ? 2 : 0;
  return path.slice(0, lists.has(path[depth] ?? "") ? depth + 2 : depth + 1);
}

/** Names of options are ours; any other name is the user's, and is left out. */
function whatIsWrong(steps: readonly string[], { part }: Mismatch): string {
  const own = steps[0] === "servers" ? ["servers", "(name)", ...steps.slice(2)] : steps;
  if (part === "name") return `unknown property${own.length > 2 ? " of a server" : ""}`;
  return placeOf(own) || "not an object";
}

function remove(value: unknown, steps: readonly string[]): boolean {
  const last = steps.at(-1);
  const around = steps.slice(0, -1).reduce<unknown>((part, step) => childOf(part, step), value);
  if (last === undefined) return false;
  if (Array.isArray(around)) return around.splice(Number(last), 1).length === 1;
  return isObject(around) && Object.hasOwn(around, last) && Reflect.deleteProperty(around, last);
}

function childOf(value: unknown, step: string): unknown {
  return Array.isArray(value) ? value[Number(step)] : memberAt(value, step);
}

function layerFrom({
  $schema: _schema,
  servers = {},
  locked = [],
  ...general
}: ConfigFile): ConfigLayer {
  const sections = isObject(servers) ? Object.entries(servers) : [];
  return {
    general: optionsIn(general),
    servers: new Map(sections.map(([name, section]) => [name, optionsIn(section)])),
    locked: Array.isArray(locked) ? locked.map(String) : [],
  };
}

function optionsIn(members: unknown): ConfigOptions {
  const entries = isObject(members) ? Object.entries(members) : [];
  return new Map(entries.map(([name, value]) => [name.replaceAll("_", "-"), asOption(value)]));
}

function asOption(value: unknown): RawOption {
  if (typeof value === "boolean") return value;
  if (!Array.isArray(value)) return String(value);
  return typeof value[0] === "number" ? value.join(",") : JSON.stringify(value);
}
