import { actions } from "#actions/index.ts";
import { sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import type { Enforcement } from "#meter/event.ts";
import type { Lock } from "#meter/lock.ts";
import { MemoryPurses, type PurseBook } from "#meter/purse.ts";
import { spillTo } from "#shell/spill.ts";
import { stateFolder } from "#shell/state.ts";
import type { BudgetOptions } from "./budget-options.ts";

/** What a session is held to, and what must be closed when it ends. */
export type Enforcing = {
  readonly enforcement: Enforcement | undefined;
  readonly lock: Lock | undefined;
  readonly close: () => void;
};

/** Purses that outlive a session are opened only when a budget needs one. */
export async function enforce(
  options: BudgetOptions,
  sessionId: string,
  io: Io,
  tell: (sentence: string) => void,
): Promise<Enforcing> {
  const { budgets, repeatsMax, isLockEnforced } = options;
  const isNothing = budgets.length === 0 && repeatsMax === undefined && !isLockEnforced;
  const lock = await lockIn(options.lockFile);
  if (isNothing) return { enforcement: undefined, lock, close };
  const folder = stateFolder(io.env);
  const session = new MemoryPurses();
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
  const { readLockFile } = await import("#shell/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(sentences.lockMissing(file));
  return lock;
}

async function openShared(
  folder: string | undefined,
  sessionId: string,
  tell: (sentence: string) => void,
): Promise<PurseBook & { close(): void }> {
  const { SharedPurses } = await import("#shell/shared-purses.ts");
  return new SharedPurses(folder, sessionId, tell);
}

function close(): void {
  // Nothing was opened.
}
