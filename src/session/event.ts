import type { Line } from "#wire/line.ts";
import type { Side } from "#wire/side.ts";
import type { CounterStores } from "#budgets/accounts.ts";
import type { Action } from "#budgets/action.ts";
import type { Budget } from "#budgets/budget.ts";
import type { DefinitionPrices } from "#cost/definition-prices.ts";
import type { ErrorForm } from "#budgets/gatekeeper.ts";
import type { Lock } from "#lock/lock.ts";
import type { Reader } from "#cost/reader.ts";
import type { MeterRecord } from "#records/record.ts";
import type { Instant } from "#calls/instant.ts";
import type { RiskThresholds } from "#cost/risk.ts";

/** What calls are held to. */
export type Enforcement = {
  readonly budgets: readonly Budget[];
  readonly actions: { readonly [id: string]: Action };
  readonly books: CounterStores;
  readonly errorForm: ErrorForm;
  readonly warnAtPercent: number;
  readonly repeatsMax: number | undefined;
  /** True when calls to tools that differ from the lock are refused. */
  readonly isLockEnforced: boolean;
  /** Keeps a text where the user can read it; its path, or undefined when that failed. */
  readonly keep: (text: string) => string | undefined;
};

/** What the meter is told before the first line. */
export type MeterOptions = {
  readonly version: string;
  readonly sessionId: string;
  /** Basename of the server's command. */
  readonly command: string;
  /** Label the user gave the server; else its own name, else one derived from the command. */
  readonly serverLabel: string | undefined;
  readonly serverLabelFallback: string;
  readonly risk: RiskThresholds;
  /** Definitions that were agreed upon; a server that lists others is told of. */
  readonly lock?: Pick<Lock, "tools"> | undefined;
  /** The client's own setting of the most tokens of an answer, where its user made one. */
  readonly clientCutTokens?: number | undefined;
  /** Chooses who reads by the client's own name. */
  readonly readerFor: (clientName: string | undefined) => Reader;
  /** SHA-256 of a text, hexadecimal. */
  readonly hash: (text: string) => string;
  readonly prices: DefinitionPrices;
  /** True when results are to say what they cost, in their `_meta`. */
  readonly isAnnotating?: boolean;
  /** Undefined when nothing is enforced: then every line passes. */
  readonly enforcement?: Enforcement | undefined;
};

/** What follows from an event. */
export type Judgement = {
  readonly records: readonly MeterRecord[];
  /** False keeps the line of the event from where it was going. */
  readonly passes: boolean;
  /** Lines of ours for either side. */
  readonly toClient: readonly Uint8Array[];
  readonly toServer: readonly Uint8Array[];
};

/** What happens to the meter; time comes with it. */
export type MeterEvent = { readonly at: Instant } & (
  | {
      readonly kind: "line";
      readonly from: Side;
      readonly line: Line;
      /** True when it has passed already: it can be counted and charged, not kept back any more. */
      readonly hasPassed?: boolean;
    }
  /** The client will say no more. */
  | { readonly kind: "eof" }
  /** Time to count. */
  | { readonly kind: "work" }
  /** Time to look at the requests that wait. */
  | { readonly kind: "wake" }
  /** The server has gone: what is open will not be answered any more. */
  | { readonly kind: "close" }
  | { readonly kind: "fault"; readonly where: string; readonly what: string }
  | EndFacts
);

type EndFacts = {
  readonly kind: "end";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly droppedRecords: number;
  readonly observerFaults: number;
};

export type EndEvent = EndFacts & { readonly at: Instant };
