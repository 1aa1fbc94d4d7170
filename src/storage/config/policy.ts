import { configFaults } from "#policy-sentences.ts";
import { nearestName } from "#text/nearest.ts";
import type { ConfigMistake } from "./config-file.ts";
import type { ReadConfig } from "./read-configs.ts";

/** The options that the system's config locks. */
export type Policy = {
  /** That config. */
  readonly file: string;
  /** Long names of options; `budgets`, and `disable` for the variable that turns metering off. */
  readonly locked: ReadonlySet<string>;
};

/** A policy, and the names in `locked` that lock nothing. */
export type ReadPolicy = {
  /** Undefined where nothing is locked. */
  readonly policy: Policy | undefined;
  readonly unknown: readonly ConfigMistake[];
};

/** As far as a policy needs them: the options of a command that a config may set. */
type LockableOptions = { readonly [name: string]: { readonly isFlagOnly?: boolean } };

/** The variable that turns metering off, as a name in `locked`. */
const disableName = "disable";

/** The configs of the system among those that were read. */
export function systemConfigs(configs: readonly ReadConfig[]): readonly ReadConfig[] {
  return configs.filter(({ place }) => place.kind === "system");
}

/** The policy of the system's config. */
export function readPolicy(configs: readonly ReadConfig[], options: LockableOptions): ReadPolicy {
  const [system] = systemConfigs(configs);
  if (!system || system.layer.locked.length === 0) return { policy: undefined, unknown: [] };
  const { file } = system.place;
  const known = lockableNames(options);
  const names = system.layer.locked;
  const locked = new Set(names.filter((name) => known.includes(name)).map(optionName));
  // A lock that users choose themselves would enforce nothing.
  if (locked.has("enforce-lock") && hasValue(system, "lock")) locked.add("lock");
  // With other counters, locked budgets would begin at zero: in another Redis, a file, or under another fleet's name.
  if (locked.has("budgets")) for (const name of counterPlace(system)) locked.add(name);
  const unknown = names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const fault = configFaults.unknownLock(name, nearestName(name, known));
      return { file, fault, what: "locked" };
    });
  return { policy: locked.size === 0 ? undefined : { file, locked }, unknown };
}

/** True when the policy keeps users from turning metering off. */
export function locksDisable(policy: Policy | undefined): boolean {
  return policy?.locked.has(disableName) === true;
}

/** Members of a config that may be locked, in their spelling. */
function lockableNames(options: LockableOptions): readonly string[] {
  const names = Object.keys(options).filter(
    (name) => options[name]?.isFlagOnly !== true && name !== "config",
  );
  const members = names.map((name) => (name === "budget" ? "budgets" : name.replaceAll("-", "_")));
  return [...members, disableName];
}

/** The options that name the place of counters, as far as the system names one. A Redis has no fleet but the one that it names. */
function counterPlace(system: ReadConfig): readonly string[] {
  if (hasValue(system, "counters")) return ["counters", "fleet"];
  return hasValue(system, "fleet") ? ["fleet"] : [];
}

function optionName(member: string): string {
  return member.replaceAll("_", "-");
}

function hasValue({ layer }: ReadConfig, name: string): boolean {
  return [layer.general, ...layer.servers.values()].some((options) => options.has(name));
}
