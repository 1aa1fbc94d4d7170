import { UserError } from "#kit/errors.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { findDuplicate, makePositionFinder, type SourceFault } from "#kit/syntax/syntax-tree.ts";
import {
  type Mismatch,
  formatPath,
  validateValue,
  type Validator,
} from "#kit/text/schema-mismatch.ts";
import { isObject, readMember } from "#wire/json.ts";
import { validate } from "../../../../dist/validators/config.js";
import { parseJsonc, parseJsoncTree } from "#kit/syntax/jsonc.ts";
import { configSentences } from "../sentences.ts";

export const configBytesMax = 1024 * 1024;

export const configMistakesMax = 100;

export type RawOption = string | boolean | readonly string[];

type ConfigValue = string | number | boolean | readonly unknown[];

// As in config.schema.json: mostly options of `run`, by long name with `_` instead of `-`.
export type ConfigFile = {
  readonly [name: string]: ConfigValue | { readonly [server: string]: ConfigSection };
};

type ConfigSection = { readonly [name: string]: ConfigValue };

export type ConfigOptions = ReadonlyMap<string, RawOption>;

export type ConfigLayer = {
  readonly general: ConfigOptions;
  readonly servers: ReadonlyMap<string, ConfigOptions>;
  // Effective in the system's file only.
  readonly locked: readonly string[];
};

export type ConfigMistake = {
  readonly file: string;
  readonly fault: string;
  // Goes into records, so it quotes no value of the file.
  readonly cause: string;
};

type LenientConfig = {
  readonly layer: ConfigLayer;
  readonly mistakes: readonly ConfigMistake[];
};

export function readConfigFile(file: string): ConfigLayer {
  const read = readCheckedFile(file, validate);
  if ("fault" in read) throw new UserError(configSentences.configMalformed(file, read.fault));
  return makeLayer(read.value);
}

export function readCheckedFile<Value>(
  file: string,
  check: Validator<Value>,
): { readonly value: Value } | { readonly fault: string } {
  const parsed = parseFile(file);
  if ("fault" in parsed) return parsed;
  return parsed.duplicate ?? validateValue(parsed.value, check);
}

// Drops mistaken options, or all options if the file has too many mistakes. Of options defined twice, keeps the last.
// Of an unparsable file, reads only `on_fault: closed`.
export function readConfigLeniently(file: string): LenientConfig {
  const parsed = parseFile(file);
  if (!("fault" in parsed)) {
    const { layer, mistakes } = removeMismatches(file, parsed.value);
    const { duplicate } = parsed;
    return { layer, mistakes: [...(duplicate ? [{ file, ...duplicate }] : []), ...mistakes] };
  }
  const { fault, cause, recovered } = parsed;
  const general = new Map<string, RawOption>();
  if (readMember(recovered, "on_fault") === "closed") general.set("on-fault", "closed");
  return {
    layer: { general, servers: new Map(), locked: [] },
    mistakes: [{ file, fault, cause }],
  };
}

type FileFault = Omit<ConfigMistake, "file">;

type ParsedFile =
  | { readonly value: unknown; readonly duplicate: FileFault | undefined }
  | (FileFault & { readonly recovered?: unknown });

function parseFile(file: string): ParsedFile {
  const content = readWholeFile(file, configBytesMax);
  if ("fault" in content) return { fault: content.fault, cause: content.fault };
  const text = new TextDecoder().decode(content.bytes);
  const read = parseJsonc(text);
  const describe = ({ fault, offset }: SourceFault, cause: string): FileFault => {
    const { line } = makePositionFinder(text)(offset);
    return { fault: `line ${line}: ${fault}`, cause: `${cause} on line ${line}` };
  };
  if ("fault" in read) return { ...describe(read, "not valid JSON"), recovered: read.recovered };
  const tree = parseJsoncTree(text);
  const duplicate = "fault" in tree ? undefined : findDuplicate(tree);
  return {
    value: read.value,
    duplicate: duplicate && describe(duplicate, "a property defined twice"),
  };
}

function removeMismatches(file: string, value: unknown): LenientConfig {
  // A copy, because mistakes are removed from it. Made through JSON, so that `__proto__` in the file sets no prototype.
  const remaining: unknown = JSON.parse(JSON.stringify(value));
  const mistakes: ConfigMistake[] = [];
  for (;;) {
    const read = validateValue(remaining, validate);
    if (!("fault" in read)) return { layer: makeLayer(read.value), mistakes };
    const steps = findRemovablePath(read);
    const isLast = mistakes.length === configMistakesMax || !removePath(remaining, steps);
    if (mistakes.length < configMistakesMax)
      mistakes.push({ file, fault: read.fault, cause: describeMismatch(steps, read) });
    if (isLast) return { layer: makeLayer({}), mistakes };
  }
}

const listOptions: ReadonlySet<string> = new Set(["budgets", "locked", "hide", "only"]);

function findRemovablePath({ path }: Mismatch): readonly string[] {
  const depth = path[0] === "servers" ? 2 : 0;
  return path.slice(0, listOptions.has(path[depth] ?? "") ? depth + 2 : depth + 1);
}

// Shows names of options, but no names that the user chose: servers and unknown properties.
function describeMismatch(steps: readonly string[], { part }: Mismatch): string {
  const shown = steps[0] === "servers" ? ["servers", "(name)", ...steps.slice(2)] : steps;
  if (part === "name") return `unknown property${shown.length > 2 ? " of a server" : ""}`;
  return formatPath(shown) || "not an object";
}

function removePath(value: unknown, steps: readonly string[]): boolean {
  const last = steps.at(-1);
  const parent = steps.slice(0, -1).reduce<unknown>((node, step) => findChild(node, step), value);
  if (last === undefined) return false;
  if (Array.isArray(parent)) return parent.splice(Number(last), 1).length === 1;
  return isObject(parent) && Object.hasOwn(parent, last) && Reflect.deleteProperty(parent, last);
}

function findChild(value: unknown, step: string): unknown {
  return Array.isArray(value) ? value[Number(step)] : readMember(value, step);
}

function makeLayer({
  $schema: _schema,
  servers = {},
  locked = [],
  ...general
}: ConfigFile): ConfigLayer {
  const sections = isObject(servers) ? Object.entries(servers) : [];
  return {
    general: readOptions(general),
    servers: new Map(sections.map(([name, section]) => [name, readOptions(section)])),
    locked: Array.isArray(locked) ? locked.map((name) => renameMember(String(name))) : [],
  };
}

function readOptions(members: unknown): ConfigOptions {
  const entries = isObject(members) ? Object.entries(members) : [];
  return new Map(
    entries.map(([name, value]) => [
      renameMember(name).replaceAll("_", "-"),
      convertOption(name, value),
    ]),
  );
}

function renameMember(member: string): string {
  return member === "client" ? "as_client" : member;
}

function convertOption(name: string, value: unknown): RawOption {
  if (typeof value === "boolean") return value;
  if (!Array.isArray(value)) return String(value);
  // Budgets become JSON text, even if there are none: the option is parsed as JSON later.
  if (value.length === 0 && name !== "budgets") return [];
  if (typeof value[0] === "number") return value.join(",");
  return typeof value[0] === "string" ? value.map(String) : JSON.stringify(value);
}
