import type { Reader } from "#cost/reader.ts";
import type { LockGuard } from "#lock/lock-guard.ts";
import type { RecordBody } from "#records/record.ts";
import type { RefusalFacts, Sureness } from "./refusal-text.ts";

/** Tokens, and how precisely they are known. */
export type Price = { readonly tokens: number; readonly sureness: Sureness };

/** The conditions of a decision. */
export type Context = {
  readonly reader: Reader;
  /** Wall-clock time. */
  readonly nowMs: number;
  /** True when nothing waits to be counted, so every counter holds what finished calls really cost. */
  readonly isSettled: boolean;
  /** How long a request may be held from now; 0 when it may not. */
  readonly mayHoldMs: number;
  /** True when the request was decided before and held. */
  readonly wasHeld: boolean;
  /** True when the decision may wait for the answer of a counter that cannot answer at once. */
  readonly mayAsk: boolean;
  /** Compares tools with the lock, where it is enforced. */
  readonly lock: Pick<LockGuard, "verdict"> | undefined;
};

/** The fate of a message, and the records that the decision leaves. */
export type Decision = { readonly records: readonly RecordBody[] } & (
  | { readonly kind: "forward" }
  | { readonly kind: "refuse"; readonly facts: RefusalFacts }
  /** A request that is decided again at `untilMs`, wall-clock. */
  | { readonly kind: "hold"; readonly untilMs: number }
  /** An answer that goes to the client with another result. */
  | { readonly kind: "replace"; readonly result: unknown }
  /** Not decidable before everything is counted: count, then ask again. */
  | { readonly kind: "unsettled" }
  /** Not decidable before counters have answered, which are asked: decide again then. */
  | { readonly kind: "asked" }
);

/** Forwards, and leaves no record. */
export const forward: Decision = { kind: "forward", records: [] };

/** Asks for everything to be counted first. */
export const unsettled: Decision = { kind: "unsettled", records: [] };

/** Asks for the decision to be made again when the counters have answered. */
export const askedCounters: Decision = { kind: "asked", records: [] };
