import { findNearestName } from "#kit/text/match-names.ts";
import type { ConfigMistake, RawOption } from "./config-file.ts";
import {
  type ReadConfig,
  type ConfigEntry,
  type MergedConfig,
  listEntries,
  mergeConfigs,
} from "./read-configs.ts";
import { configFaults } from "../sentences.ts";
import { counterFailurePolicies, lockedBudgetsOption } from "#meter/budgets/gate-options.ts";
import { readMember } from "#wire/json.ts";
import { parseAmount } from "#kit/text/numbers.ts";

export type Policy = {
  readonly file: string;
  readonly locked: ReadonlySet<string>;
};

type ReadPolicy = {
  readonly policy: Policy | undefined;
  readonly unknown: readonly ConfigMistake[];
};

type LockableOptions = { readonly [name: string]: { readonly isCommandLineOnly?: boolean } };

const disableName = "disable";

export function pickSystemConfigs(configs: readonly ReadConfig[]): readonly ReadConfig[] {
  return configs.filter(({ location }) => location.kind === "system");
}

export function readPolicy(configs: readonly ReadConfig[], options: LockableOptions): ReadPolicy {
  const [system] = pickSystemConfigs(configs);
  if (!system || system.layer.locked.length === 0) return { policy: undefined, unknown: [] };
  const { file } = system.location;
  const known = listLockableNames(options);
  const names = system.layer.locked;
  const locked = new Set(
    names.filter((name) => known.includes(name)).map((name) => name.replaceAll("_", "-")),
  );
  // If users could choose the lock file, a locked `enforce-lock` would enforce nothing.
  if (locked.has("enforce-lock") && hasValue(system, "lock")) locked.add("lock");
  if (locked.has("budgets"))
    for (const name of [...listCounterOptions(system), ...listBudgetOptions(system)])
      locked.add(name);
  if (locked.has("user")) locked.add("user-header");
  const unknown = names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const fault = configFaults.unknownLock(name, findNearestName(name, known));
      return { file, fault, cause: "locked" };
    });
  return { policy: locked.size === 0 ? undefined : { file, locked }, unknown };
}

export function locksDisable(policy: Policy | undefined): boolean {
  return policy?.locked.has(disableName) === true;
}

function listLockableNames(options: LockableOptions): readonly string[] {
  const names = Object.keys(options).filter(
    (name) => options[name]?.isCommandLineOnly !== true && name !== "config",
  );
  const members = names.map((name) => (name === "budget" ? "budgets" : name.replaceAll("-", "_")));
  return [...members, disableName];
}

// Other counters (another Redis, a file or another fleet) would start at zero, so users could avoid locked budgets. If
// the system config sets `counters`, then `fleet` is locked too, even if it is not set.
function listCounterOptions(system: ReadConfig): readonly string[] {
  if (hasValue(system, "counters")) return ["counters", "fleet", "counter-timeout"];
  return hasValue(system, "fleet") ? ["fleet"] : [];
}

// Under another user name, the counters of per-user budgets would start at zero; at other prices, calls could be free.
function listBudgetOptions({ layer }: ReadConfig): readonly string[] {
  const sections = [layer.general, ...layer.servers.values()];
  const rows = sections.flatMap((options) => parseRows(options.get("budgets") ?? "[]"));
  const isPerUser = rows.some((row) => readMember(row, "owner") === "user");
  const isInMoney = rows.some((row) => String(readMember(row, "limit")).trim().startsWith("$"));
  return [...(isPerUser ? ["user"] : []), ...(isInMoney ? ["model", "prices"] : [])];
}

function hasValue({ layer }: ReadConfig, name: string): boolean {
  return [layer.general, ...layer.servers.values()].some((options) => options.has(name));
}

type RawValues = { readonly [name: string]: RawOption | undefined };

type OptionSources = {
  readonly configs: readonly ReadConfig[];
  readonly explicit: RawValues; // from the command line and environment variables
  readonly server: string | undefined;
};

type AppliedPolicy = {
  readonly explicit: RawValues;
  readonly merged: MergedConfig;
  readonly overridden: readonly string[]; // locked options for which the policy dropped the user's value
};

const aliases: { readonly [name: string]: readonly string[] } = {
  summary: ["format", "json"],
  "summary-file": ["output"],
};

// From loosest to tightest: users may choose a tighter value.
const ranks: { readonly [name: string]: readonly string[] } = {
  "on-fault": ["open", "closed"],
  "on-counter-failure": ["open", "local", "closed"],
  "enforce-lock": ["false", "true"],
};

const defaults: { readonly [name: string]: string } = {
  "on-fault": "open",
  "on-counter-failure": counterFailurePolicies[0],
  "enforce-lock": "false",
};

// A locked option has the system's value or the default, unless the user's value is tighter.
// The system's budgets and hidden tools, if locked, are added to the user's.
export function applyPolicy(policy: Policy | undefined, sources: OptionSources): AppliedPolicy {
  const { configs, server } = sources;
  const merged = new Map(mergeConfigs(configs, server));
  const explicit = { ...sources.explicit };
  const overridden: string[] = [];
  if (!policy) return { explicit, merged, overridden };
  const system = pickSystemConfigs(configs);
  const systemConfig = mergeConfigs(system, server);
  const userConfig = mergeConfigs(
    configs.filter((config) => !system.includes(config)),
    server,
  );
  for (const name of policy.locked) {
    if (name === "budgets") lockBudgets(merged, userConfig, listBudgets(system, server));
    else if (name === "hide") lockHiddenTools({ explicit, merged }, userConfig, systemConfig);
    else if (isOverridden(name, explicit, { userConfig, systemConfig })) {
      overridden.push(name.replaceAll("-", "_"));
      lockOption(name, { explicit, merged }, systemConfig.get(name));
    }
  }
  // The policy dropped the user's `lock`. Without a lock, their `enforce-lock` would be reported as a mistake.
  if (overridden.includes("lock") && !merged.has("lock")) delete explicit["enforce-lock"];
  return { explicit, merged, overridden };
}

type MergedLayers = { readonly userConfig: MergedConfig; readonly systemConfig: MergedConfig };

function isOverridden(
  name: string,
  explicit: RawValues,
  { userConfig, systemConfig }: MergedLayers,
): boolean {
  const locked = systemConfig.get(name)?.value;
  const isAliased = (aliases[name] ?? []).some((alias) => explicit[alias] !== undefined);
  const value = explicit[name] ?? userConfig.get(name)?.value;
  if (value === undefined) return isAliased;
  return isAliased || !isTightEnough(name, value, locked);
}

function isTightEnough(name: string, value: RawOption, locked: RawOption | undefined): boolean {
  const order = ranks[name];
  if (order) {
    const lowestRank = order.indexOf(normalizeFlag(locked ?? defaults[name] ?? ""));
    return order.indexOf(normalizeFlag(value)) >= Math.max(0, lowestRank);
  }
  if (name === "max-repeats") return isAtMost(value, locked);
  return locked !== undefined && String(value) === String(locked);
}

function normalizeFlag(value: RawOption): string {
  const text = String(value);
  if (["1", "yes"].includes(text)) return "true";
  return ["0", "no"].includes(text) ? "false" : text;
}

function isAtMost(value: RawOption, locked: RawOption | undefined): boolean {
  const amount = parseAmount(String(value));
  const max = locked === undefined ? Infinity : parseAmount(String(locked));
  return amount !== undefined && max !== undefined && amount >= 1 && amount <= max;
}

type MutableOptions = {
  readonly explicit: { [name: string]: RawOption | undefined };
  readonly merged: Map<string, ConfigEntry>;
};

function lockHiddenTools(
  { explicit, merged }: MutableOptions,
  userConfig: MergedConfig,
  systemConfig: MergedConfig,
): void {
  const locked = systemConfig.get("hide");
  if (!locked) return;
  const chosen = explicit["hide"] ?? userConfig.get("hide")?.value ?? [];
  const patterns = [locked.value, chosen].flatMap((value) =>
    Array.isArray(value) ? value : [String(value)],
  );
  merged.set("hide", { ...locked, value: patterns });
  delete explicit["hide"];
}

function lockOption(
  name: string,
  { explicit, merged }: MutableOptions,
  entry: ConfigEntry | undefined,
): void {
  for (const option of [name, ...(aliases[name] ?? [])]) delete explicit[option];
  setEntry(merged, name, entry);
}

function setEntry(
  merged: Map<string, ConfigEntry>,
  name: string,
  entry: ConfigEntry | undefined,
): void {
  if (entry) merged.set(name, entry);
  else merged.delete(name);
}

function lockBudgets(
  merged: Map<string, ConfigEntry>,
  userConfig: MergedConfig,
  locked: readonly ConfigEntry[],
): void {
  setEntry(merged, "budgets", userConfig.get("budgets"));
  const [first] = locked;
  if (!first) return;
  const rows = locked.flatMap(({ value }): readonly unknown[] => parseRows(value));
  merged.set(lockedBudgetsOption, { ...first, value: JSON.stringify(rows) });
}

function listBudgets(
  system: readonly ReadConfig[],
  server: string | undefined,
): readonly ConfigEntry[] {
  const sections = server === undefined ? [undefined] : [undefined, server];
  return sections.flatMap((section) => {
    const entries = system.flatMap((config) => listEntries(config, section));
    return new Map(entries).get("budgets") ?? [];
  });
}

function parseRows(json: RawOption): readonly unknown[] {
  const rows: unknown = JSON.parse(String(json));
  return Array.isArray(rows) ? rows : [];
}
