import type { GateOptions } from "../budgets/gate-options.ts";
import type { HttpExchange, Instant } from "../calls/call.ts";
import type { DefinitionCache } from "#tokens/cost/definition-tokens.ts";
import type { ChooseReader } from "#tokens/cost/reader.ts";
import type { RiskThresholds } from "#tokens/cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { MeterRecord, Outcome } from "#records/record.ts";
import type { ParseShort } from "#wire/parse-message.ts";
import { type Side, oppositeSide } from "#wire/message.ts";
import type { Line } from "#wire/line.ts";
import { keepElements } from "#wire/elements.ts";

export type ErrorForm = "tool" | "rpc";

export type MeterOptions = {
  readonly version: string;
  readonly sessionId: string;
  readonly command: string;
  readonly transport?: "http";
  /** Called only with the first record, because the machine's id may have to be created. */
  readonly machine?: () => string | undefined;
  readonly serverLabel: string | undefined;
  readonly serverLabelFallback: string;
  readonly risk: RiskThresholds;
  readonly lock?: Pick<Lock, "tools"> | undefined;
  readonly slowMs?: number | undefined;
  readonly readerFor: ChooseReader;
  /** SHA-256 of a text, hexadecimal. */
  readonly hash: (text: string) => string;
  readonly parseShort?: ParseShort;
  readonly definitionCache: DefinitionCache;
  readonly isAnnotating?: boolean;
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
  | { readonly kind: "over"; readonly exchange: number; readonly outcome: UnansweredOutcome }
  /** The client sends the request again elsewhere, so this one does not count. */
  | { readonly kind: "redirected"; readonly exchange: number }
  | { readonly kind: "eof" }
  | { readonly kind: "work" }
  /** No time is left to count: waiting texts are priced by length. */
  | { readonly kind: "settle" }
  | { readonly kind: "wake" }
  | { readonly kind: "answered" }
  | { readonly kind: "close" }
  | {
      readonly kind: "fault";
      readonly where: string;
      readonly what: string;
      readonly bytes?: number;
    }
  | ({ readonly kind: "checkpoint" } & Losses)
  | EndFacts
);

export type UnansweredOutcome = Extract<Outcome, "cancelled" | "abandoned" | "rpc_error">;

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
  /** True for an answer withheld because the client cancelled its request. */
  readonly isLate: boolean;
  readonly waits: boolean;
  /** Late decisions about HTTP messages that were held. On a pipe they become lines instead. */
  readonly late: readonly LateFate[];
};

export type LateFate = { readonly exchange: HttpExchange; readonly fate: Effects };

export type LateFates = {
  decided(late: LateFate): void;
  /** The meter failed: no held message will be decided. */
  failed(): void;
};

const none: readonly never[] = [];

export const passed: Effects = {
  passes: true,
  toClient: none,
  toServer: none,
  isLate: false,
  waits: false,
  late: none,
};

export const waiting: Effects = { ...passed, passes: false, waits: true };

export const lateAnswer: Effects = { ...passed, passes: false, isLate: true };

export function withhold(instead?: Uint8Array): Effects {
  return { ...passed, passes: false, toClient: instead ? [instead] : none };
}

/** On a pipe a held message goes out as a separate line, `bytes`. */
export function decideLate(
  fate: Effects,
  exchange: HttpExchange | undefined,
  { to, bytes }: { readonly to: Side; readonly bytes: Uint8Array },
): Effects {
  if (fate.waits) return waiting;
  if (exchange) return { ...passed, late: [{ exchange, fate }] };
  if (!fate.passes) return fate;
  return { ...withhold(), ...(to === "server" ? { toServer: [bytes] } : { toClient: [bytes] }) };
}

export function dropLate(exchange: HttpExchange | undefined): Effects {
  return exchange ? { ...passed, late: [{ exchange, fate: withhold() }] } : passed;
}

export function withRecords(
  effects: Effects,
  records: readonly MeterRecord[],
): Effects & { readonly records: readonly MeterRecord[] } {
  const { passes, toClient, toServer, isLate, waits, late: fates } = effects;
  return { passes, toClient, toServer, isLate, waits, late: fates, records };
}

export function mergeEffects(all: readonly Effects[]): Effects {
  const changes = all.filter((effects) => effects !== passed);
  if (changes.length < 2) return changes[0] ?? passed;
  return {
    passes: changes.every(({ passes }) => passes),
    toClient: changes.flatMap(({ toClient }) => toClient),
    toServer: changes.flatMap(({ toServer }) => toServer),
    isLate: changes.some(({ isLate }) => isLate),
    waits: changes.some(({ waits }) => waits),
    late: changes.flatMap((effects) => effects.late),
  };
}

/** Unparsed elements beyond the limit pass. A batch that passes in part becomes a new line. */
export function onBatch(
  items: readonly Effects[],
  hasUnparsed: boolean,
  { from, line }: { readonly from: Side; readonly line: Line },
): Effects {
  const all = mergeEffects(items);
  if (all.passes || !line.bytes) return all;
  if (!hasUnparsed && !items.some(({ passes }) => passes)) return all;
  const rest = keepElements(line.bytes, (index) => items[index]?.passes ?? true);
  return oppositeSide(from) === "server"
    ? { ...all, toServer: [...all.toServer, rest] }
    : { ...all, toClient: [...all.toClient, rest] };
}
