import { nearestName } from "#kit/text/nearest.ts";
import type { ConfigMistake } from "./config-file.ts";
import type { ReadConfig } from "./read-configs.ts";
import { configFaults } from "./sentences.ts";

export type Policy = {
  readonly file: string;
  readonly locked: ReadonlySet<string>;
};

export type ReadPolicy = {
  readonly policy: Policy | undefined;
  readonly unknown: readonly ConfigMistake[];
};

type LockableOptions = { readonly [name: string]: { readonly isFlagOnly?: boolean } };

const disableName = "disable";

export function systemConfigs(configs: readonly ReadConfig[]): readonly ReadConfig[] {
  return configs.filter(({ place }) => place.kind === "system");
}

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

export function locksDisable(policy: Policy | undefined): boolean {
  return policy?.locked.has(disableName) === true;
}

function lockableNames(options: LockableOptions): readonly string[] {
  const names = Object.keys(options).filter(
    (name) => options[name]?.isFlagOnly !== true && name !== "config",
  );
  const members = names.map((name) => (name === "budget" ? "budgets" : name.replaceAll("-", "_")));
  return [...members, disableName];
}

/** A Redis has no fleet but the one it names. */
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
