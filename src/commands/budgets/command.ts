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
import type { BudgetsOptions } from "./options.ts";

/** Prints every shared budget counter of this user, after a reset of some if asked. */
export async function budgets(options: BudgetsOptions, io: Io): Promise<Ending> {
  const { resetPattern, format } = options;
  rejectMissingFolder(options);
  const store = await openStore(io.env);
  try {
    if (resetPattern !== undefined) {
      const count = resetCounters(store, resetPattern);
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
 * and as `(all)`, its name in the table. Throws UserError when none matches.
 */
function resetCounters(store: SharedStore | undefined, pattern: string): number {
  const nowMs = Date.now();
  const known = new Map(store?.list().map((stored) => [stored.key, counterStatus(stored, nowMs)]));
  const count = store?.reset((key) => {
    const status = known.get(key);
    if (status === undefined) return false;
    return status.tool === null
      ? pattern === allTools || fitsWildcard(pattern, "*")
      : fitsWildcard(pattern, status.tool);
  });
  if (count === undefined || count === 0) throw new UserError(sentences.counterUnknown(pattern));
  return count;
}
