import { exitCodes, UserError } from "#kit/errors.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { Ending, Io } from "#kit/io.ts";
import { type CounterStatus, describeCounter } from "#meter/budgets/counter.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";
import { setBudgetNote, buildBudgetsDocument } from "#screens/renderers/documents/budgets.ts";
import { render } from "#screens/renderers/index.ts";
import type { CounterList } from "#state/stores/index.ts";
import { Teller } from "#kit/text/teller.ts";
import {
  findConfiguredRedis,
  listCounters,
  withCounters,
  type LockedBudgets,
  readLockedBudgets,
  findLockedBudget,
} from "../counters/read-counters.ts";
import { printOutput, rejectMissingFolder, type Output } from "../output/output-options.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import type { RawOptions } from "../command.ts";

export type BudgetsOptions = Output<DocumentFormat> & {
  readonly resetPattern: string | undefined;
  readonly isDryRun: boolean;
  readonly counterOptions: RawOptions;
};

export async function printBudgets(options: BudgetsOptions, io: Io): Promise<Ending> {
  const { resetPattern, isDryRun, format, counterOptions } = options;
  rejectMissingFolder(options);
  const counters = await withCounters(
    io.env,
    findConfiguredRedis(io, counterOptions),
    async (store) => {
      if (resetPattern !== undefined) {
        const locked = readLockedBudgets(io.platform);
        const count = await resetCounters(store, resetPattern, { locked, isDryRun });
        new Teller(io.stderr).tell(resetSentences.countersReset(count, isDryRun));
      }
      const all = store ? await listCounters(store) : [];
      return isDryRun ? all.filter((status) => matchesCounter(resetPattern ?? "*", status)) : all;
    },
  );
  const { title, sections } = buildBudgetsDocument(counters);
  const place = { kind: "notes", notes: [setBudgetNote] } as const;
  const printout = { document: { title, sections: [...sections, place] }, data: { counters } };
  await printOutput((page) => render(format, printout, page), options, io);
  return { code: exitCodes.ok };
}

const wholeServerLabel = "(all)";

type ResetTerms = { readonly locked: LockedBudgets | undefined; readonly isDryRun: boolean };

// A whole server's counter matches `*`, and `(all)`, which is its name in the table. Throws
// UserError if nothing matches, or if the system config locks a matching budget.
async function resetCounters(
  store: CounterList | undefined,
  pattern: string,
  { locked, isDryRun }: ResetTerms,
): Promise<number> {
  const nowMs = Date.now();
  const listed = (await store?.list()) ?? [];
  const known = new Map(listed.map((stored) => [stored.key, describeCounter(stored, nowMs)]));
  const isSelected = (status: CounterStatus | undefined): status is CounterStatus =>
    status !== undefined && matchesCounter(pattern, status);
  for (const status of known.values()) {
    const lockedBudget =
      locked && isSelected(status) ? findLockedBudget(status, locked) : undefined;
    if (locked && lockedBudget) {
      const { spec } = lockedBudget;
      throw new UserError(resetSentences.countersLocked(pattern, spec, locked.file));
    }
  }
  const count = isDryRun
    ? [...known.values()].filter(isSelected).length
    : await store?.reset((key) => isSelected(known.get(key)));
  if (count === undefined || count === 0)
    throw new UserError(resetSentences.counterUnknown(pattern));
  return count;
}

function matchesCounter(pattern: string, { tool }: CounterStatus): boolean {
  if (tool !== null) return matchesWildcard(pattern, tool);
  // When matching, the tool of a whole server's counter is called `*`.
  return pattern === wholeServerLabel || matchesWildcard(pattern, "*");
}

export const resetSentences = {
  countersLocked: (pattern: string, spec: string, file: string) =>
    `Cannot reset "${pattern}": the system config "${file}" locks the budget ${spec}`,
  counterUnknown: (pattern: string) =>
    `Cannot reset "${pattern}": it matches no budget counter; list them with "mcp-meter budgets"`,
  countersReset: (count: number, isDryRun: boolean) =>
    `${isDryRun ? "Would reset" : "Reset"} ${pluralize(count, "budget counter")}`,
} as const;
