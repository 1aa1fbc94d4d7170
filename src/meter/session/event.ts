import type { GateOptions } from "../budgets/gate-options.ts";
import type { HttpExchange, Instant } from "../calls/call.ts";
import type { DefinitionCache } from "#tokens/cost/count-definition.ts";
import type { ChooseReader } from "#tokens/cost/reader.ts";
import type { RiskThresholds } from "#tokens/cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import type { TrimRules } from "#lock/trim-list.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { MeterRecord, Outcome } from "#records/record.ts";
import type { ParseShort } from "#wire/parse-message.ts";
import type { Side } from "#wire/message.ts";
import type { Line } from "#wire/line.ts";
import { keepElements } from "#wire/edit-line-bytes.ts";

export type ErrorForm = "tool" | "rpc";

export type MeterOptions = {
  readonly version: string;
  readonly sessionId: string;
  readonly command: string;
  readonly transport?: "http";
  // Called only for the first record, because the machine's id may have to be created.
  readonly machine?: () => string | undefined;
  readonly user?: string | undefined;
  readonly serverLabel: string | undefined;
  readonly serverLabelFallback: string;
  readonly risk: RiskThresholds;
  readonly lock?: Pick<Lock, "tools"> | undefined;
  readonly slowMs?: number | undefined;
  readonly readerFor: ChooseReader;
  readonly hash: (text: string) => string; // SHA-256, hexadecimal
  readonly parseShortText?: ParseShort;
  readonly definitionCache: DefinitionCache;
  readonly isAnnotating?: boolean;
  readonly trim?: TrimRules;
  readonly listPrices?: PriceBook | undefined;
  readonly gate?: GateOptions | undefined;
  readonly errorForm?: ErrorForm;
};

export type Judgement = Effects & { readonly records: readonly MeterRecord[] };

export type MeterEvent = { readonly at: Instant } & (
  | {
      readonly kind: "line";
      readonly from: Side;
      readonly line: Line;
      readonly hasPassed?: boolean;
      readonly exchange?: HttpExchange | undefined;
    }
  | {
      readonly kind: "exchange-end";
      readonly exchange: number;
      readonly outcome: ExchangeEndOutcome;
    }
  // The client will send the request again elsewhere, so this one does not count.
  | { readonly kind: "redirected"; readonly exchange: number }
  | { readonly kind: "eof" }
  | { readonly kind: "work" } // counts a slice of the waiting texts
  | { readonly kind: "settle" } // no time is left to count: waiting texts are priced by length
  | { readonly kind: "wake" } // `wakeAtMs` has come: held requests are decided again
  | { readonly kind: "counters-answered" }
  | { readonly kind: "close" } // nothing more will arrive: open calls are recorded
  | {
      readonly kind: "fault";
      readonly where: string;
      readonly what: string;
      readonly bytes?: number;
    }
  | ({ readonly kind: "checkpoint" } & Losses)
  | EndFacts
);

export type ExchangeEndOutcome = Extract<Outcome, "cancelled" | "abandoned" | "rpc_error">;

type Losses = { readonly droppedRecords: number; readonly observerFaults: number };

type EndFacts = Losses & {
  readonly kind: "end";
  readonly exitCode: number | null;
  readonly signal: string | null;
};

export type LineEvent = Extract<MeterEvent, { readonly kind: "line" }>;

export type EndEvent = EndFacts & { readonly at: Instant };

export type CheckpointEvent = Extract<MeterEvent, { readonly kind: "checkpoint" }>;

export type Effects = {
  readonly passes: boolean;
  readonly toClient: readonly Uint8Array[];
  readonly toServer: readonly Uint8Array[];
  readonly isLate: boolean; // the answer is withheld because the client cancelled its request
  readonly waits: boolean; // the message is decided later
  // For HTTP messages that waited. On a pipe, such messages become separate lines.
  readonly delayed: readonly DelayedEffects[];
};

export type DelayedEffects = { readonly exchange: HttpExchange; readonly effects: Effects };

export type DelayedEffectsReceiver = {
  take(delayed: DelayedEffects): void;
  fail(): void; // the meter failed: no waiting message will be decided
};

const none: readonly never[] = [];

// A message passes unchanged, and nothing else happens.
export const noEffects: Effects = {
  passes: true,
  toClient: none,
  toServer: none,
  isLate: false,
  waits: false,
  delayed: none,
};

export const waiting: Effects = { ...noEffects, passes: false, waits: true };

export const lateAnswer: Effects = { ...noEffects, passes: false, isLate: true };

export function withhold(instead?: Uint8Array): Effects {
  return { ...noEffects, passes: false, toClient: instead ? [instead] : none };
}

/** On a pipe, a message that waited becomes the separate line `bytes`. */
export function deliverDelayed(
  effects: Effects,
  exchange: HttpExchange | undefined,
  to: Side,
  bytes: Uint8Array,
): Effects {
  if (effects.waits) return waiting;
  if (exchange) return { ...noEffects, delayed: [{ exchange, effects }] };
  if (!effects.passes) return effects;
  return { ...withhold(), ...(to === "server" ? { toServer: [bytes] } : { toClient: [bytes] }) };
}

export function dropDelayed(exchange: HttpExchange | undefined): Effects {
  return exchange ? { ...noEffects, delayed: [{ exchange, effects: withhold() }] } : noEffects;
}

// Written out because a spread would be too slow to run on every line.
export function makeJudgement(effects: Effects, records: readonly MeterRecord[]): Judgement {
  const { passes, toClient, toServer, isLate, waits, delayed } = effects;
  return { passes, toClient, toServer, isLate, waits, delayed, records };
}

export function mergeEffects(all: readonly Effects[]): Effects {
  const changes = all.filter((effects) => effects !== noEffects);
  if (changes.length < 2) return changes[0] ?? noEffects;
  return {
    passes: changes.every(({ passes }) => passes),
    toClient: changes.flatMap(({ toClient }) => toClient),
    toServer: changes.flatMap(({ toServer }) => toServer),
    isLate: changes.some(({ isLate }) => isLate),
    waits: changes.some(({ waits }) => waits),
    delayed: changes.flatMap((effects) => effects.delayed),
  };
}

// A batch that passes in part becomes a new line. Elements that were not parsed, because a batch is
// parsed only up to its element limit, pass.
export function mergeBatchEffects(
  items: readonly Effects[],
  hasUnparsed: boolean,
  { from, line }: { readonly from: Side; readonly line: Line },
): Effects {
  const all = mergeEffects(items);
  if (all.passes || !line.bytes) return all;
  if (!hasUnparsed && !items.some(({ passes }) => passes)) return all;
  const passing = keepElements(line.bytes, (index) => items[index]?.passes ?? true);
  return from === "client"
    ? { ...all, toServer: [...all.toServer, passing] }
    : { ...all, toClient: [...all.toClient, passing] };
}
