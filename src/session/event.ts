import type { GateOptions } from "#budgets/gate-options.ts";
import type { HttpExchange } from "#calls/arrival.ts";
import type { Instant } from "#calls/instant.ts";
import type { DefinitionPrices } from "#cost/definition-prices.ts";
import type { Reader } from "#cost/reader.ts";
import type { RiskThresholds } from "#cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceBook } from "#money/price-book.ts";
import type { MeterRecord, Outcome } from "#records/record.ts";
import type { ParseShort } from "#wire/parse-message.ts";
import type { Side } from "#wire/side.ts";
import type { Line } from "#wire/line.ts";
import type { Effects } from "./effects.ts";

/** The form of a refused tool call: the tool's own error, or a JSON-RPC error. */
export type ErrorForm = "tool" | "rpc";

/** The options of one session's meter. */
export type MeterOptions = {
  readonly version: string;
  readonly sessionId: string;
  /** Basename of the server's command. */
  readonly command: string;
  /** Present where messages come by HTTP. */
  readonly transport?: "http";
  /** The id of this machine in records; asked for with the first record, since it may have to be made. */
  readonly machine?: () => string | undefined;
  /** Label that the user gave the server; else its own name, else the fallback. */
  readonly serverLabel: string | undefined;
  /** Label derived from the command. */
  readonly serverLabelFallback: string;
  readonly risk: RiskThresholds;
  /** Definitions to compare the server's lists with. */
  readonly lock?: Pick<Lock, "tools"> | undefined;
  /** Milliseconds beyond which a call is slow; undefined for no alert. */
  readonly slowMs?: number | undefined;
  /** Chooses the reader by the client's own name. */
  readonly readerFor: (clientName: string | undefined) => Reader;
  /** SHA-256 of a text, hexadecimal. */
  readonly hash: (text: string) => string;
  readonly parseShort?: ParseShort;
  readonly prices: DefinitionPrices;
  /** True when results get a member in their `_meta` with their cost. */
  readonly isAnnotating?: boolean;
  /** For annotations in dollars. */
  readonly listPrices?: PriceBook | undefined;
  /** The rules to enforce; undefined when every line passes. */
  readonly gate?: GateOptions | undefined;
  /** The form of refusals; `tool` by default. */
  readonly errorForm?: ErrorForm;
};

/** The consequences of an event: for its line, for those that were kept, and for the records. */
export type Judgement = Effects & { readonly records: readonly MeterRecord[] };

/** An input of the meter; time comes with it. */
export type MeterEvent = { readonly at: Instant } & (
  | {
      readonly kind: "line";
      readonly from: Side;
      readonly line: Line;
      /** True when it was forwarded already: it can be counted and charged, not held back. */
      readonly hasPassed?: boolean;
      /** The exchange of HTTP that it came in; absent for a pipe. */
      readonly exchange?: HttpExchange | undefined;
    }
  /** An exchange of HTTP is over: its requests that are open will not be answered. */
  | { readonly kind: "over"; readonly exchange: number; readonly outcome: UnansweredOutcome }
  /** A redirect answered an exchange of HTTP: the client sends its request again elsewhere, so it was none. */
  | { readonly kind: "redirected"; readonly exchange: number }
  /** The client will send no more. */
  | { readonly kind: "eof" }
  /** Time to count. */
  | { readonly kind: "work" }
  /** No time is left to count: texts that wait are priced by their length. */
  | { readonly kind: "settle" }
  /** Time to decide about held requests again. */
  | { readonly kind: "wake" }
  /** Counters have answered: time to decide about the lines that waited for it. */
  | { readonly kind: "answered" }
  /** The server has ended: open calls will not be answered. */
  | { readonly kind: "close" }
  /** `bytes` are those that it concerns. */
  | {
      readonly kind: "fault";
      readonly where: string;
      readonly what: string;
      readonly bytes?: number;
    }
  /** Time to record the sums so far: the session may be killed. */
  | ({ readonly kind: "checkpoint" } & Losses)
  | EndFacts
);

/** The outcome of a request whose exchange is over without an answer. */
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
