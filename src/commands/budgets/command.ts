import { exitCodes, UserError, formatQuantity } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { type CounterStatus, counterStatus } from "#meter/budgets/counter.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";
import { buildBudgetsDocument } from "#screens/renderers/documents/budgets.ts";
import { render } from "#screens/renderers/index.ts";
import type { ListedStore } from "#state/stores/index.ts";
import { Teller } from "#kit/text/teller.ts";
import {
  findConfiguredRedis,
  listCounters,
  withCounters,
  type LockedCounters,
  readLockedCounters,
  findLockedBudget,
} from "../counters/read-counters.ts";
import { printOutput, rejectMissingFolder, type Output } from "../output/output-options.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import type { RawOptions } from "../command.ts";

export type BudgetsOptions = Output<DocumentFormat> & {
  readonly resetPattern: string | undefined;
  readonly counterOptions: RawOptions;
};

export async function printBudgets(options: BudgetsOptions, io: Io): Promise<Ending> {
  const { resetPattern, format, counterOptions } = options;
  rejectMissingFolder(options);
  const counters = await withCounters(
    io.env,
    findConfiguredRedis(io, counterOptions),
    async (store) => {
      if (resetPattern !== undefined) {
        const count = await resetCounters(store, resetPattern, readLockedCounters(io.platform));
        new Teller(io.stderr).tell(listedBudgetSentences.countersReset(count));
      }
      return store ? listCounters(store) : [];
    },
  );
  const printout = { document: buildBudgetsDocument(counters), data: { counters } };
  await printOutput((page) => render(format, printout, page), options, io);
  return { code: exitCodes.ok };
}

const allTools = "(all)";

/** A whole server's counter matches `*` and `(all)`, its name in the table. Throws UserError when nothing matches, or the system locks a budget. */
async function resetCounters(
  store: ListedStore | undefined,
  pattern: string,
  locked: LockedCounters | undefined,
): Promise<number> {
  const nowMs = Date.now();
  const listed = (await store?.list()) ?? [];
  const known = new Map(listed.map((stored) => [stored.key, counterStatus(stored, nowMs)]));
  const isSelected = (status: CounterStatus | undefined): status is CounterStatus =>
    status !== undefined && matchesCounter(pattern, status);
  for (const status of known.values()) {
    const lock = locked && isSelected(status) ? findLockedBudget(status, locked) : undefined;
    if (locked && lock)
      throw new UserError(listedBudgetSentences.countersLocked(pattern, lock.spec, locked.file));
  }
  const count = await store?.reset((key) => isSelected(known.get(key)));
  if (count === undefined || count === 0)
    throw new UserError(listedBudgetSentences.counterUnknown(pattern));
  return count;
}

function matchesCounter(pattern: string, { tool }: CounterStatus): boolean {
  if (tool !== null) return matchesWildcard(pattern, tool);
  return pattern === allTools || matchesWildcard(pattern, "*");
}

export const listedBudgetSentences = {
  countersLocked: (pattern: string, spec: string, file: string) =>
    `Cannot reset "${pattern}": the system config "${file}" locks the budget ${spec}`,
  counterUnknown: (tool: string) =>
    `Cannot reset "${tool}": it matches no budget counter; list them with "mcp-meter budgets"`,
  countersReset: (count: number) => `Reset ${formatQuantity(count, "budget counter")}`,
} as const;
