import type { Counter, Hold } from "#meter/budgets/counter.ts";
import { type CurrentWindow, findCurrentWindow } from "#meter/budgets/windows.ts";

// An advance is an amount reserved for further calls: at most 1/`advanceRoomDivisor` of the counter's remaining room.
export const advanceRoomDivisor = 8;

export type Amounts = { readonly window: number; readonly spent: number; readonly held: number };

export type Share = {
  readonly window: number;
  readonly held: number;
  // The part of `held` that counts as spent if the meter is killed.
  readonly pledged: number;
};

export type CallAmounts = { readonly held: number; readonly spent: number };

export type CallStep = { readonly current: CallAmounts; readonly next: CallAmounts };

export type CounterChange = CallStep & {
  readonly counter: Counter;
  readonly nowMs: number;
  readonly window: number | undefined;
  readonly open: number; // held by this meter's open calls
  readonly unwritten: number; // spent, but not yet in the store
  readonly advance: number; // to reserve for further calls
  readonly isForced: boolean; // granted even beyond the limit
  // If true, the change starts no new window, because `nowMs` may be out of date.
  readonly keepsWindow: boolean;
};

export type AppliedChange = {
  readonly amounts: Amounts;
  readonly share: Share;
  readonly open: number;
  readonly isGranted: boolean;
  readonly mayGrant: boolean; // false if the store is unavailable and the policy is `closed`
};

export const noCallAmounts: CallAmounts = { held: 0, spent: 0 };

function makeCallAmounts(amount: number, isSpent: boolean): CallAmounts {
  return isSpent ? { held: 0, spent: amount } : { held: amount, spent: 0 };
}

// A new call has no hold yet, and the amounts of a hold from another window do not count.
export function makeCallStep(
  hold: Hold | undefined,
  window: number | undefined,
  amount: number,
  isSpent: boolean,
): CallStep {
  const current =
    hold && hold.window === window ? makeCallAmounts(hold.amount, hold.isSpent) : noCallAmounts;
  return { current, next: makeCallAmounts(amount, isSpent) };
}

// The caller must read the amounts and write the result in the same transaction. `amounts` and `share` are undefined
// if the store has none yet.
export function applyChange(
  amounts: Amounts | undefined,
  share: Share | undefined,
  change: CounterChange,
): AppliedChange {
  const { limit } = change.counter;
  const start = findStartingAmounts(amounts, share, change);
  const { window, heldByOthers, unwritten, open, current, next } = start;
  const spent = Math.max(0, start.spent + unwritten - current.spent + next.spent);
  const held = open - current.held + next.held;
  const room = limit - heldByOthers - spent - held;
  const isGranted = room >= 0 || change.isForced;
  if (!isGranted) {
    const written = Math.max(0, start.spent + unwritten);
    return makeAppliedChange(
      { window, spent: written, heldByOthers, held: open, advance: 0, pledged: 0 },
      false,
    );
  }
  const advance = Math.max(0, Math.min(change.advance, Math.floor(room / advanceRoomDivisor)));
  // If a change spends nothing, its advance is not pledged, so that it is released if the meter is killed.
  const pledged = next.spent > current.spent ? advance : 0;
  return makeAppliedChange({ window, spent, heldByOthers, held, advance, pledged }, true);
}

function findStartingAmounts(
  amounts: Amounts | undefined,
  share: Share | undefined,
  change: CounterChange,
) {
  const { window, keepsAmounts } = findWindow(amounts, change);
  const stored = keepsAmounts ? amounts : undefined;
  const { spent, held } = stored ?? { spent: 0, held: 0 };
  const heldByMeter = stored && share?.window === stored.window ? share.held : 0;
  const heldByOthers = Math.max(0, held - heldByMeter);
  const isSameWindow =
    change.window !== undefined && [window, stored?.window].includes(change.window);
  const { open, unwritten, current } = isSameWindow
    ? change
    : { open: 0, unwritten: 0, current: noCallAmounts };
  const next = isSameWindow || !change.keepsWindow ? change.next : noCallAmounts;
  return { window, spent, heldByOthers, open, unwritten, current, next };
}

type Outcome = Amounts & {
  readonly heldByOthers: number;
  readonly advance: number;
  readonly pledged: number;
};

function makeAppliedChange(outcome: Outcome, isGranted: boolean): AppliedChange {
  const { window, spent, heldByOthers, held: open, advance, pledged } = outcome;
  const held = open + advance;
  return {
    amounts: { window, spent, held: heldByOthers + held },
    share: { window, held, pledged },
    open,
    isGranted,
    mayGrant: true,
  };
}

function findWindow(amounts: Amounts | undefined, change: CounterChange): CurrentWindow {
  const { counter, nowMs, window = 0, keepsWindow } = change;
  if (!keepsWindow) return findCurrentWindow(counter.per, amounts?.window, nowMs);
  return amounts ? { window: amounts.window, keepsAmounts: true } : { window, keepsAmounts: false };
}
