import { actions } from "#actions/index.ts";
import type { Io } from "#io.ts";
import type { Enforcement } from "#meter/event.ts";
import { MemoryPurses, type PurseBook } from "#meter/purse.ts";
import { spillTo } from "#shell/spill.ts";
import { stateFolder } from "#shell/state.ts";
import type { BudgetOptions } from "./budget-options.ts";

/** What a session is held to, and what must be closed when it ends. */
export type Enforcing = {
  readonly enforcement: Enforcement | undefined;
  readonly close: () => void;
};

/** Purses that outlive a session are opened only when a budget needs one. */
export async function enforce(
  options: BudgetOptions,
  sessionId: string,
  io: Io,
  tell: (sentence: string) => void,
): Promise<Enforcing> {
  const { budgets, repeatsMax } = options;
  if (budgets.length === 0 && repeatsMax === undefined) return { enforcement: undefined, close };
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
    close: () => shared?.close(),
  };
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
