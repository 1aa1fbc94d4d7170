import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { type CounterStatus, counterStatus } from "#budgets/counter-status.ts";
import { fitsWildcard } from "#text/wildcard.ts";
import { budgetsDocument } from "#renderers/documents/budgets.ts";
import { render } from "#renderers/index.ts";
import { openExistingStore, type SharedStore } from "#stores/index.ts";
import { stateFolder } from "#storage/folders.ts";
import { Teller } from "#text/teller.ts";
import { printOutput, rejectMissingFolder } from "../output/print-output.ts";
import { type LockedCounters, lockedCounters, lockOf } from "./locked-counters.ts";
import type { BudgetsOptions } from "./options.ts";

/** Prints every shared budget counter of this user, after a reset of some if asked. */
export async function budgets(options: BudgetsOptions, io: Io): Promise<Ending> {
  const { resetPattern, format } = options;
  rejectMissingFolder(options);
  const store = await openStore(io.env);
  try {
    if (resetPattern !== undefined) {
      const count = resetCounters(store, resetPattern, lockedCounters(io.platform));
      new Teller(io.stderr).tell(sentences.countersReset(count));
    }
    const counters = store ? listCounters(store) : [];
    const printout = { document: budgetsDocument(counters), data: { counters } };
    printOutput((page) => render(format, printout, page), options, io);
    return { code: exitCodes.ok };
  } finally {
    store?.close();
  }
}

/** The shared budget counters of this user. Throws UserError when they cannot be read. */
export async function readCounters(env: Io["env"]): Promise<readonly CounterStatus[]> {
  const store = await openStore(env);
  try {
    return store ? listCounters(store) : [];
  } finally {
    store?.close();
  }
}

/** The user's store; undefined before there is one. Throws UserError when it cannot be opened. */
async function openStore(env: Io["env"]): Promise<SharedStore | undefined> {
  const folder = stateFolder(env);
  if (folder === undefined) throw new UserError(sentences.countersHomeMissing());
  return openExistingStore(folder, crypto.randomUUID());
}

function listCounters(store: SharedStore): CounterStatus[] {
  const nowMs = Date.now();
  const names = store.names();
  return store.list().flatMap((stored) => counterStatus(stored, nowMs, names) ?? []);
}

/** The name in the table of a counter for all tools of a server. */
const allTools = "(all)";

/**
 * Resets the counters of matching tools, and returns their number. The counter of a server as a whole matches as `*`
 * and as `(all)`, its name in the table. Throws UserError when none matches, or the system locks the budget of one.
 */
function resetCounters(
  store: SharedStore | undefined,
  pattern: string,
  locked: LockedCounters | undefined,
): number {
  const nowMs = Date.now();
  const known = new Map(store?.list().map((stored) => [stored.key, counterStatus(stored, nowMs)]));
  const isMeant = (status: CounterStatus | undefined): status is CounterStatus =>
    status !== undefined && matches(pattern, status);
  for (const status of known.values()) {
    const lock = locked && isMeant(status) ? lockOf(status, locked) : undefined;
    if (locked && lock)
      throw new UserError(sentences.countersLocked(pattern, lock.spec, locked.file));
  }
  const count = store?.reset((key) => isMeant(known.get(key)));
  if (count === undefined || count === 0) throw new UserError(sentences.counterUnknown(pattern));
  return count;
}

function matches(pattern: string, { tool }: CounterStatus): boolean {
  if (tool !== null) return fitsWildcard(pattern, tool);
  return pattern === allTools || fitsWildcard(pattern, "*");
}
