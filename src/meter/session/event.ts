import type { GateOptions } from "../budgets/gate-options.ts";
import type { HttpExchange } from "../calls/arrival.ts";
import type { Instant } from "../calls/call.ts";
import type { DefinitionPrices } from "#tokens/cost/begin-tool.ts";
import type { ChooseReader } from "#tokens/cost/reader.ts";
import type { RiskThresholds } from "#tokens/cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { MeterRecord, Outcome } from "#records/record.ts";
import type { ParseShort } from "#wire/parse-message.ts";
import type { Side } from "#wire/message.ts";
import type { Line } from "#wire/line.ts";
import type { Effects } from "./effects.ts";

export type ErrorForm = "tool" | "rpc";

export type MeterOptions = {
  readonly version: string;
  readonly sessionId: string;
  readonly command: string;
  readonly transport?: "http";
  /** The id of this machine in records; asked for with the first record, since it may have to be made. */
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
  readonly prices: DefinitionPrices;
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
  /** An exchange of HTTP is over: its requests that are open will not be answered. */
  | { readonly kind: "over"; readonly exchange: number; readonly outcome: UnansweredOutcome }
  /** A redirect answered an exchange of HTTP: the client sends its request again elsewhere, so it was none. */
  | { readonly kind: "redirected"; readonly exchange: number }
  | { readonly kind: "eof" }
  | { readonly kind: "work" }
  /** No time is left to count: texts that wait are priced by their length. */
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
