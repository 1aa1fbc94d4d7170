import { advancePartsMin } from "#limits/budgets.ts";
import { type Counter, type CurrentWindow, currentWindow } from "#budgets/counter.ts";

/** The amounts of a counter in a window, those of all meters together. */
export type Amounts = { readonly window: number; readonly spent: number; readonly held: number };

/** One meter's part of the held amount of a counter. */
export type Share = {
  readonly window: number;
  readonly held: number;
  /** The part of `held` that is spent, not free again, when the meter is killed. */
  readonly pledged: number;
};

/** The part of a counter that one call has. */
export type CallPart = { readonly held: number; readonly spent: number };

/** A request of a meter to a store: to change the part of one call, and to write its earlier spending. */
export type CounterChange = {
  readonly counter: Counter;
  readonly nowMs: number;
  /** The window that the meter's amounts belong to; undefined when it has none. */
  readonly window: number | undefined;
  /** Everything that the meter holds before the change, without its advance. */
  readonly open: number;
  /** Spent and not written yet; negative for a correction. */
  readonly unwritten: number;
  /** The part of the call so far, and the one it should have. */
  readonly own: CallPart;
  readonly next: CallPart;
  /** Wanted on top of `next`, as far as there is room for it. */
  readonly advance: number;
  /** True when the limit is ignored. */
  readonly isForced: boolean;
  /** True when `next` is void unless the meter's window is still the current one. */
  readonly isPinned: boolean;
};

/** The state after a change. */
export type Applied = {
  readonly amounts: Amounts;
  readonly share: Share;
  /** Everything that the meter holds now, without its advance. */
  readonly open: number;
  /** False when there was no room: then only `unwritten` was written. */
  readonly isGranted: boolean;
  /** False when it was not granted because the store cannot be reached. */
  readonly isReachable: boolean;
};

/** A part of nothing. */
export const nothing: CallPart = { held: 0, spent: 0 };

/**
 * The state of a counter after a change of one meter; `amounts` and `share` are undefined where a store has none
 * yet. Every store uses this function, in one transaction.
 */
export function applyChange(
  amounts: Amounts | undefined,
  share: Share | undefined,
  change: CounterChange,
): Applied {
  const { limit } = change.counter;
  const base = baseFor(amounts, share, change);
  const { window, others, unwritten, open, own, next } = base;
  const spent = Math.max(0, base.spent + unwritten - own.spent + next.spent);
  const held = open - own.held + next.held;
  const room = limit - others - spent - held;
  const isGranted = room >= 0 || change.isForced;
  if (!isGranted) {
    const written = Math.max(0, base.spent + unwritten);
    return applied({ window, spent: written, others, held: open, advance: 0, pledged: 0 }, false);
  }
  const advance = Math.max(0, Math.min(change.advance, Math.floor(room / advancePartsMin)));
  // An advance that is spent may have been delivered before it is written.
  const pledged = next.spent > own.spent ? advance : 0;
  return applied({ window, spent, others, held, advance, pledged }, true);
}

/** The amounts that a change applies to; a window that has passed leaves none. */
function baseFor(amounts: Amounts | undefined, share: Share | undefined, change: CounterChange) {
  const { window, isKept } = windowFor(amounts, change);
  const kept = isKept ? amounts : undefined;
  const { spent, held } = kept ?? { spent: 0, held: 0 };
  const others = held - (kept && share?.window === kept.window ? share.held : 0);
  const isSame = [window, kept?.window].includes(change.window ?? Number.NaN);
  const { open, unwritten, own } = isSame ? change : { open: 0, unwritten: 0, own: nothing };
  const next = isSame || !change.isPinned ? change.next : nothing;
  return { window, spent, others, open, unwritten, own, next };
}

type Outcome = {
  readonly window: number;
  readonly spent: number;
  /** Held by other meters. */
  readonly others: number;
  readonly held: number;
  readonly advance: number;
  readonly pledged: number;
};

function applied(outcome: Outcome, isGranted: boolean): Applied {
  const { window, spent, others, held: open, advance, pledged } = outcome;
  const held = open + advance;
  return {
    amounts: { window, spent, held: others + held },
    share: { window, held, pledged },
    open,
    isGranted,
    isReachable: true,
  };
}

/** A pinned change never begins a window: the time of the meter's last request may be long ago. */
function windowFor(amounts: Amounts | undefined, change: CounterChange): CurrentWindow {
  const { counter, nowMs, window = 0, isPinned } = change;
  if (!isPinned) return currentWindow(counter.per, amounts?.window, nowMs);
  return amounts ? { window: amounts.window, isKept: true } : { window, isKept: false };
}
