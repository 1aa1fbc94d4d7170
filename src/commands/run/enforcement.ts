import { actions } from "#actions/index.ts";
import { sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import type { Enforcement } from "#session/event.ts";
import type { Lock } from "#lock/lock.ts";
import { MemoryCounters, type CounterStore } from "#budgets/counter.ts";
import { spillTo } from "#storage/spill.ts";
import { stateFolder } from "#storage/state.ts";
import type { BudgetOptions } from "./budget-options.ts";
import type { Tell } from "#text/teller.ts";

/** What a session is held to, and what must be closed when it ends. */
export type Enforcing = {
  readonly enforcement: Enforcement | undefined;
  readonly lock: Lock | undefined;
  readonly close: () => void;
};

/** Counters that outlive a session are opened only when a budget needs one. */
export async function enforce(
  options: BudgetOptions,
  sessionId: string,
  io: Io,
  tell: Tell,
): Promise<Enforcing> {
  const { budgets, repeatsMax, isLockEnforced } = options;
  const isNothing = budgets.length === 0 && repeatsMax === undefined && !isLockEnforced;
  const lock = await lockIn(options.lockFile);
  if (isNothing) return { enforcement: undefined, lock, close };
  const folder = stateFolder(io.env);
  const session = new MemoryCounters();
  const isShared = budgets.some(({ per }) => per !== "call" && per !== "session");
  const shared = isShared ? await openShared(folder, sessionId, tell) : undefined;
  return {
    enforcement: {
      ...options,
      actions,
      books: { session, shared: shared ?? session },
      keep: spillTo(folder, sessionId),
    },
    lock,
    close: () => shared?.close(),
  };
}

/** The lock in that file. Throws UserError when there is none, or when it is no lock. */
async function lockIn(file: string | undefined): Promise<Lock | undefined> {
  if (file === undefined) return undefined;
  const { readLockFile } = await import("#storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(sentences.lockMissing(file));
  return lock;
}

async function openShared(
  folder: string | undefined,
  sessionId: string,
  tell: Tell,
): Promise<CounterStore & { close(): void }> {
  const { SharedCounters } = await import("#stores/shared.ts");
  return new SharedCounters(folder, sessionId, tell);
}

function close(): void {
  // Nothing was opened.
}
