import { actionRules } from "#meter/actions/rules.ts";
import { type Budget, makeBudget, type RawBudget } from "#meter/budgets/budget.ts";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import { UserError } from "#kit/errors.ts";
import type { ConfigOptions } from "#state/storage/config/config-file.ts";
import { configPlaces, isOccupied, systemConfigFolder } from "#state/storage/config/config-path.ts";
import { readPolicy } from "#state/storage/config/policy.ts";
import { readConfigs } from "#state/storage/config/read-configs.ts";

export type LockedCounters = { readonly file: string; readonly budgets: readonly Budget[] };

export function lockedCounters(
  platform: string,
  folder: string = systemConfigFolder(platform),
): LockedCounters | undefined {
  const places = configPlaces(undefined, {}, folder).filter(isOccupied);
  const { configs } = readConfigs(places);
  const [system] = configs;
  const { policy } = readPolicy(configs, { budget: {} });
  if (!system || policy?.locked.has("budgets") !== true) return undefined;
  const parts = [system.layer.general, ...system.layer.servers.values()];
  return { file: policy.file, budgets: parts.flatMap(budgetsIn) };
}

export function lockOf(
  { pattern, server, unit, per, action }: CounterStatus,
  { budgets }: LockedCounters,
): Budget | undefined {
  return budgets.find(
    (budget) =>
      budget.tool === pattern &&
      budget.isOverall === (server === null) &&
      budget.unit === unit &&
      budget.per === per &&
      budget.action === action,
  );
}

/** Sessions leave out a budget with a mistake, too. */
function budgetsIn(options: ConfigOptions): readonly Budget[] {
  const rows: readonly RawBudget[] = JSON.parse(String(options.get("budgets") ?? "[]"));
  return rows.flatMap((row) => {
    try {
      return [makeBudget(row, actionRules)];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return [];
    }
  });
}
