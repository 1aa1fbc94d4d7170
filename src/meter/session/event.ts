import type { GateOptions } from "../budgets/gate-options.ts";
import type { HttpExchange, Instant } from "../calls/call.ts";
import type { DefinitionCache } from "#tokens/cost/count-definition.ts";
import type { ChooseReader } from "#tokens/cost/reader.ts";
import type { RiskThresholds } from "#tokens/cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import type { TrimRules } from "#lock/hidden-tools.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { Outcome } from "#records/record.ts";
import type { ParseShort } from "#wire/parse-message.ts";
import type { Side } from "#wire/message.ts";
import type { Line } from "#wire/line.ts";

export type ErrorForm = "tool" | "rpc";

export type MeterOptions = {
  readonly version: string;
  readonly sessionId: string;
  readonly command: string;
  readonly transport?: "http";
  // Called only for session records, because the call may create the machine's id.
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

export type MeterEvent = { readonly at: Instant } & (
  | {
      readonly kind: "line";
      readonly from: Side;
      readonly line: Line;
      readonly hasPassed?: boolean; // false if the line is held until it is judged
      readonly exchange?: HttpExchange | undefined;
    }
  | {
      readonly kind: "exchange-end";
      readonly exchange: number;
      readonly outcome: ExchangeEndOutcome;
    }
  // The client will send the request again elsewhere, so the redirected request is not counted.
  | { readonly kind: "redirected"; readonly exchange: number }
  | { readonly kind: "eof" }
  | { readonly kind: "work" } // counts the tokens in a part of the waiting texts
  | { readonly kind: "settle" } // no time is left to count: waiting texts are estimated by their length
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
