import { requireStateFolder } from "#state/storage/folders.ts";
import { UserError, recover } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { type CounterStatus, describeCounter } from "#meter/budgets/counter.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { openExistingStore, openRedisList } from "#state/stores/index.ts";
import type { CounterList } from "#state/stores/store.ts";
import type { RedisLocation } from "#state/stores/redis/address.ts";
import { counterSentences, parseCounterOptions } from "./counter-options.ts";
import {
  listConfigLocations,
  locateSystemConfigFolder,
  mustBeRead,
} from "#state/storage/config/config-locations.ts";
import { makeRunCommandLine, resolveConfig } from "../apply-config-files.ts";
import type { RawOptions } from "../command.ts";
import { actionRules } from "#meter/actions/action-rules.ts";
import { type Budget, makeBudget, type RawBudget } from "#meter/budgets/budget.ts";
import type { ConfigOptions } from "#state/storage/config/config-file.ts";
import { readPolicy } from "#state/storage/config/policy.ts";
import { readConfigs } from "#state/storage/config/read-configs.ts";

export async function readCounters(
  io: Pick<Io, "env" | "platform">,
): Promise<readonly CounterStatus[]> {
  return withCounters(io.env, findConfiguredRedis(io), async (store) =>
    store ? listCounters(store) : [],
  );
}

type CounterReading = {
  readonly counters: readonly CounterStatus[];
  readonly fault: string | undefined;
};

export async function tryReadCounters(io: Pick<Io, "env" | "platform">): Promise<CounterReading> {
  try {
    return { counters: await readCounters(io), fault: undefined };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { counters: [], fault: error.message };
  }
}

export async function withCounters<Result>(
  env: Io["env"],
  redis: RedisLocation | undefined,
  act: (store: CounterList | undefined) => Promise<Result>,
): Promise<Result> {
  try {
    const store = await openStore(env, redis);
    try {
      return await act(store);
    } finally {
      store?.close();
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(counterSentences.countersUnreadable(readErrorCode(error)));
  }
}

async function openStore(
  env: Io["env"],
  redis: RedisLocation | undefined,
): Promise<CounterList | undefined> {
  if (redis) return openRedisList(redis);
  const folder = requireStateFolder(env, counterSentences.countersHomeMissing());
  return openExistingStore(folder, crypto.randomUUID());
}

export async function listCounters(store: CounterList): Promise<readonly CounterStatus[]> {
  const nowMs = Date.now();
  const names = await store.listServerNames();
  return (await store.list()).flatMap((stored) => describeCounter(stored, nowMs, names) ?? []);
}

// Undefined if the counters are in a local file. Throws UserError for a mistake in a variable or an override.
// `overrides` replace even options that the system config locks.
export function findConfiguredRedis(
  { env, platform }: Pick<Io, "env" | "platform">,
  overrides: RawOptions = {},
): RedisLocation | undefined {
  const { options } = resolveConfig(makeRunCommandLine({ env, platform }), env);
  return parseCounterOptions({ ...options, ...overrides });
}

export type LockedBudgets = { readonly file: string; readonly budgets: readonly Budget[] };

export function readLockedBudgets(
  platform: string,
  folder: string = locateSystemConfigFolder(platform),
): LockedBudgets | undefined {
  // Without a named file or a HOME, only the system config is listed.
  const systemLocations = listConfigLocations(undefined, {}, folder).filter(mustBeRead);
  const { configs } = readConfigs(systemLocations);
  const [system] = configs;
  const budgetOnly = { budget: {} };
  const { policy } = readPolicy(configs, budgetOnly);
  if (!system || policy?.locked.has("budgets") !== true) return undefined;
  const sections = [system.layer.general, ...system.layer.servers.values()];
  return { file: policy.file, budgets: sections.flatMap(makeBudgets) };
}

export function findLockedBudget(
  { pattern, server, unit, per, owner }: CounterStatus,
  { budgets }: LockedBudgets,
): Budget | undefined {
  return budgets.find(
    (budget) =>
      budget.tool === pattern &&
      budget.isOverall === (server === null) &&
      budget.unit === unit &&
      budget.per === per &&
      budget.owner === owner,
  );
}

// Skips a budget with a mistake, as sessions do.
function makeBudgets(options: ConfigOptions): readonly Budget[] {
  const rows: readonly RawBudget[] = JSON.parse(String(options.get("budgets") ?? "[]"));
  return rows.flatMap((row) =>
    recover(
      () => makeBudget(row, actionRules),
      () => [],
    ),
  );
}
