import type { Id } from "#wire/message.ts";
import type { Arrival } from "./arrival.ts";
import type { Call } from "./call.ts";
import type { Carrier } from "./carrier.ts";
import type { Closing } from "./outcome.ts";

/** A new call arrived. It is open only after `Tracker.open`, so a gate can refuse it first. */
export type Requested = {
  readonly kind: "requested";
  readonly call: Call;
  readonly arrival: Arrival;
};

/** An answer to a call arrived, the last one or not. */
type Answered = {
  readonly kind: "answered";
  readonly call: Call;
  readonly result: unknown;
};

/** A call is over. */
export type Closed = {
  readonly kind: "closed";
  readonly call: Call;
  readonly closing: Closing;
  /** The message that ended it, and how to put another answer in its place; absent when no answer did. */
  readonly answer?: { readonly arrival: Arrival; readonly carrier: Carrier };
};

/** The client cancelled a request that is not open: it may be held, or unknown. */
type Withdrawn = { readonly kind: "withdrawn"; readonly id: Id };

/** One consequence of a message for the calls of a connection: a plain value. */
export type Transition = Requested | Answered | Closed | Withdrawn;
