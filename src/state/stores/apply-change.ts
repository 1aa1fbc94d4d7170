import type { Counter } from "#meter/budgets/counter.ts";
import { type CurrentWindow, findCurrentWindow } from "#meter/budgets/windows.ts";

// An advance takes at most the room in a counter divided by this number.
export const advancePartsMin = 8;

export type Amounts = { readonly window: number; readonly spent: number; readonly held: number };

export type Share = {
  readonly window: number;
  readonly held: number;
  // The part of `held` that counts as spent if the meter is killed.
  readonly pledged: number;
};

export type CallAmounts = { readonly held: number; readonly spent: number };

export type CounterChange = {
  readonly counter: Counter;
  readonly nowMs: number;
  readonly window: number | undefined;
  readonly open: number;
  readonly unwritten: number;
  readonly current: CallAmounts;
  readonly next: CallAmounts;
  readonly advance: number;
  readonly isForced: boolean;
  // Starts no window, because `nowMs` is the time of the last request, perhaps long ago.
  readonly keepsWindow: boolean;
};

export type Applied = {
  readonly amounts: Amounts;
  readonly share: Share;
  readonly open: number;
  readonly isGranted: boolean;
  readonly isReachable: boolean;
};

export const noCallAmounts: CallAmounts = { held: 0, spent: 0 };

export function makeCallAmounts(amount: number, isSpent: boolean): CallAmounts {
  return isSpent ? { held: 0, spent: amount } : { held: amount, spent: 0 };
}

// Must run in one transaction. `amounts` and `share` are undefined if the store has none yet.
export function applyChange(
  amounts: Amounts | undefined,
  share: Share | undefined,
  change: CounterChange,
): Applied {
  const { limit } = change.counter;
  const start = findStart(amounts, share, change);
  const { window, heldByOthers, unwritten, open, current, next } = start;
  const spent = Math.max(0, start.spent + unwritten - current.spent + next.spent);
  const held = open - current.held + next.held;
  const room = limit - heldByOthers - spent - held;
  const isGranted = room >= 0 || change.isForced;
  if (!isGranted) {
    const written = Math.max(0, start.spent + unwritten);
    return makeApplied(
      { window, spent: written, heldByOthers, held: open, advance: 0, pledged: 0 },
      false,
    );
  }
  const advance = Math.max(0, Math.min(change.advance, Math.floor(room / advancePartsMin)));
  // A spent advance may have been delivered before it is written.
  const pledged = next.spent > current.spent ? advance : 0;
  return makeApplied({ window, spent, heldByOthers, held, advance, pledged }, true);
}

// Amounts of another window than the current one no longer count.
function findStart(amounts: Amounts | undefined, share: Share | undefined, change: CounterChange) {
  const { window, keepsAmounts } = findWindow(amounts, change);
  const stored = keepsAmounts ? amounts : undefined;
  const { spent, held } = stored ?? { spent: 0, held: 0 };
  const heldByMeter = stored && share?.window === stored.window ? share.held : 0;
  const heldByOthers = Math.max(0, held - heldByMeter);
  const isSame = change.window !== undefined && [window, stored?.window].includes(change.window);
  const { open, unwritten, current } = isSame
    ? change
    : { open: 0, unwritten: 0, current: noCallAmounts };
  const next = isSame || !change.keepsWindow ? change.next : noCallAmounts;
  return { window, spent, heldByOthers, open, unwritten, current, next };
}

type Outcome = Amounts & {
  readonly heldByOthers: number;
  readonly advance: number;
  readonly pledged: number;
};

function makeApplied(outcome: Outcome, isGranted: boolean): Applied {
  const { window, spent, heldByOthers, held: open, advance, pledged } = outcome;
  const held = open + advance;
  return {
    amounts: { window, spent, held: heldByOthers + held },
    share: { window, held, pledged },
    open,
    isGranted,
    isReachable: true,
  };
}

function findWindow(amounts: Amounts | undefined, change: CounterChange): CurrentWindow {
  const { counter, nowMs, window = 0, keepsWindow } = change;
  if (!keepsWindow) return findCurrentWindow(counter.per, amounts?.window, nowMs);
  return amounts ? { window: amounts.window, keepsAmounts: true } : { window, keepsAmounts: false };
}
