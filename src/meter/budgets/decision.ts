import type { Closed } from "../calls/call.ts";
import type { Ceiling } from "#tokens/cost/ceiling.ts";
import type { Reader } from "#tokens/cost/exact-prices.ts";
import type { LockGuard } from "#lock/lock-watch.ts";
import type { RecordBody } from "#records/record.ts";
import type { RefusalFacts, Sureness } from "./refusal-text.ts";
import type { SpillPlace } from "#tokens/cost/clients/client-profile.ts";
import type { AskedFacts } from "#tokens/cost/reading.ts";

export type Price = { readonly tokens: number; readonly sureness: Sureness };

export type Context = {
  readonly reader: Reader;
  readonly nowMs: number;
  /** True when nothing waits to be counted, so every counter holds what finished calls really cost. */
  readonly isSettled: boolean;
  /** How long a request may be held from now; 0 when it may not. */
  readonly mayHoldMs: number;
  readonly wasHeld: boolean;
  /** True when the decision may wait for the answer of a counter that cannot answer at once. */
  readonly mayAsk: boolean;
  readonly countMost?: ((closed: Closed, ceiling: () => Ceiling) => number | undefined) | undefined;
  readonly lock: Pick<LockGuard, "verdict"> | undefined;
};

export type Decision = { readonly records: readonly RecordBody[] } & (
  | { readonly kind: "forward" }
  | { readonly kind: "refuse"; readonly facts: RefusalFacts }
  /** A request that is decided again at `untilMs`, wall-clock. */
  | { readonly kind: "hold"; readonly untilMs: number }
  | { readonly kind: "replace"; readonly result: unknown }
  /** Not decidable before everything is counted: count, then ask again. */
  | { readonly kind: "unsettled" }
  /** Not decidable before counters have answered, which are asked: decide again then. */
  | { readonly kind: "pending" }
);

export const forward: Decision = { kind: "forward", records: [] };

export const unsettled: Decision = { kind: "unsettled", records: [] };

export const pendingDecision: Decision = { kind: "pending", records: [] };

export type Excess = {
  /** A tool's result as the server sent it; undefined for all else, and when it was too long to read. */
  readonly result: unknown;
  readonly request: AskedFacts;
  readonly room: number;
  readonly spec: string;
  readonly reader: Reader;
  readonly keep: Keep;
};

/** A text to be saved: the whole answer, in a folder that the client's model can read. */
export type KeptFile = {
  readonly text: string;
  readonly extension: string;
  readonly place: SpillPlace;
};

export type Keep = (file: KeptFile) => string | undefined;

export type ResultAnswer =
  | { readonly kind: "pass" }
  | { readonly kind: "refuse" }
  | { readonly kind: "replace"; readonly result: unknown };

/**
 * One answer to a breach. It declares what it needs, so that no other room depends on its name; it knows
 * results, not messages. A request without room waits, is refused where the action enforces, and else
 * passes.
 */
export type Action = {
  readonly id: string;
  readonly isEnforcing: boolean;
  readonly holdsAnswers: boolean;
  readonly waits: boolean;
  readonly reduces: boolean;
  readonly saves: boolean;
  result(excess: Excess): ResultAnswer;
};
