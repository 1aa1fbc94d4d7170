import type { Id } from "#wire/message.ts";
import type { Arrival, Carrier } from "./arrival.ts";
import type { Call, Closing } from "./call.ts";

/** A new call arrived. It is open only after `Tracker.open`, so a gate can refuse it first. */
export type Requested = {
  readonly kind: "requested";
  readonly call: Call;
  readonly arrival: Arrival;
};

type Answered = {
  readonly kind: "answered";
  readonly call: Call;
  readonly result: unknown;
  readonly mayBeRejected?: true;
};

export type Closed = {
  readonly kind: "closed";
  readonly call: Call;
  readonly closing: Closing;
  readonly answer?: { readonly arrival: Arrival; readonly carrier: Carrier };
  readonly mayBeRejected?: true;
};

/** A further answer to a call whose last one may have been rejected. It has no record of its own. */
export type Repeated = Omit<Closed, "kind"> & { readonly kind: "repeated" };

export type Unreadable = {
  readonly kind: "unreadable";
  readonly arrival: Arrival;
  readonly redelivery?: Call;
};

/** The server answered a request that is not open: it was answered, held, cancelled (`isLate`) or never made. */
type Unasked = { readonly kind: "unasked"; readonly isLate: boolean };

type Withdrawn = { readonly kind: "withdrawn"; readonly id: Id };

export type Transition =
  Requested | Answered | Closed | Repeated | Unreadable | Unasked | Withdrawn;
