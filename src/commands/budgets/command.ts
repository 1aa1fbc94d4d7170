import { exitCodes, UserError } from "#kit/errors.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { Ending, Io } from "#kit/io.ts";
import { type CounterStatus, describeCounter } from "#meter/budgets/counter.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";
import { budgetAdviceNote, buildBudgetsDocument } from "#screens/renderers/documents/budgets.ts";
import { render } from "#screens/renderers/index.ts";
import type { CounterList } from "#state/stores/store.ts";
import { Teller } from "#kit/text/teller.ts";
import {
  findConfiguredRedis,
  listCounters,
  withCounters,
  type LockedBudgets,
  readLockedBudgets,
  findLockedBudget,
} from "../counters/read-counters.ts";
import { printOutput, rejectUnwritableOutput, type Output } from "../output/output-options.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import type { RawOptions } from "../command.ts";

export type BudgetsOptions = Output<DocumentFormat> & {
  readonly resetPattern: string | undefined;
  readonly isDryRun: boolean;
  readonly counterOptions: RawOptions;
};

export async function printBudgets(options: BudgetsOptions, io: Io): Promise<Ending> {
  const { resetPattern, isDryRun, format, counterOptions } = options;
  rejectUnwritableOutput(options);
  const counters = await withCounters(
    io.env,
    findConfiguredRedis(io, counterOptions),
    async (store) => {
      if (resetPattern === undefined) return store ? listCounters(store) : [];
      const locked = readLockedBudgets(io.platform);
      const reset = await resetCounters(store, resetPattern, { locked, isDryRun });
      new Teller(io.stderr).tell(reset.sentence);
      return store && !isDryRun ? listCounters(store) : reset.counters;
    },
  );
  const { title, sections } = buildBudgetsDocument(counters, Date.now());
  const noteSection = { kind: "notes", notes: [budgetAdviceNote] } as const;
  const printout = {
    document: { title, sections: [...sections, noteSection] },
    data: { counters },
  };
  await printOutput((page) => render(format, printout, page), options, io);
  return { code: exitCodes.ok };
}

type ResetContext = { readonly locked: LockedBudgets | undefined; readonly isDryRun: boolean };

type ResetResult = { readonly counters: readonly CounterStatus[]; readonly sentence: string };

async function resetCounters(
  store: CounterList | undefined,
  pattern: string,
  { locked, isDryRun }: ResetContext,
): Promise<ResetResult> {
  const nowMs = Date.now();
  const names = await store?.listServerNames();
  const listed = (await store?.list()) ?? [];
  const known = listed.flatMap((stored): readonly KnownCounter[] => {
    const status = describeCounter(stored, nowMs, names);
    return status ? [{ key: stored.key, status }] : [];
  });
  const { selected, isMatchedByServer } = selectCounters(known, pattern);
  const counters = selected.map(({ status }) => status);
  if (locked) rejectLocked(counters, pattern, locked);
  const keys = new Set(selected.map(({ key }) => key));
  const resetCount = isDryRun ? keys.size : ((await store?.reset((key) => keys.has(key))) ?? 0);
  if (resetCount === 0) throw new UserError(resetSentences.counterUnknown(pattern));
  const server = isMatchedByServer ? pattern : undefined;
  return { counters, sentence: resetSentences.countersReset(resetCount, isDryRun, server) };
}

function rejectLocked(
  counters: readonly CounterStatus[],
  pattern: string,
  locked: LockedBudgets,
): void {
  const [budget] = counters.flatMap((status) => findLockedBudget(status, locked) ?? []);
  if (budget) throw new UserError(resetSentences.countersLocked(pattern, budget.spec, locked.file));
}

type KnownCounter = { readonly key: string; readonly status: CounterStatus };

// A server and its only tool often share a name. So if a tool matches, servers are not matched.
export function selectCounters<Known extends Pick<KnownCounter, "status">>(
  known: readonly Known[],
  pattern: string,
): { readonly selected: readonly Known[]; readonly isMatchedByServer: boolean } {
  const selected = known.filter(({ status }) => matchesTool(pattern, status));
  if (selected.length > 0) return { selected, isMatchedByServer: false };
  const serverCounters = known.filter(
    ({ status: { server } }) => server !== null && matchesWildcard(pattern, server),
  );
  return { selected: serverCounters, isMatchedByServer: true };
}

const wholeServerLabel = "(all)";

// `(all)` and `*` select the counter of a whole server, which the table lists as `(all)`.
function matchesTool(pattern: string, { tool }: CounterStatus): boolean {
  if (tool !== null) return matchesWildcard(pattern, tool);
  return pattern === wholeServerLabel || matchesWildcard(pattern, "*");
}

export const resetSentences = {
  countersLocked: (pattern: string, spec: string, file: string) =>
    `Cannot reset "${pattern}": the system config "${file}" locks the budget ${spec}`,
  counterUnknown: (pattern: string) =>
    `Cannot reset "${pattern}": no tool or server with budget counters has this name; list them with "mcp-meter budgets"`,
  countersReset: (count: number, isDryRun: boolean, server: string | undefined) =>
    `${isDryRun ? "Would reset" : "Reset"} ${pluralize(count, "budget counter")}${server === undefined ? "" : ` of servers that match "${server}"`}`,
} as const;
