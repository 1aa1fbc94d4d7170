import type { Call } from "#calls/call.ts";
import type { Reader } from "#cost/reader.ts";
import type { RefusalFacts, Sureness } from "./refusal-text.ts";
import type { Part } from "#cost/visibility.ts";

/** A request to be judged. */
export type Asking = {
  readonly call: Call;
  /** Tool of the call; null where there is none, or its name was not read. */
  readonly tool: string | null;
  /** How long it may wait from now; 0 for not at all. */
  readonly mayWaitMs: number;
  /** True when it was judged before and waited. */
  readonly isAgain: boolean;
  /** True when it has passed already and can only be charged. */
  readonly hasPassed: boolean;
};

/** Whether a request goes to the server. */
export type Admission =
  | { readonly kind: "pass" }
  | { readonly kind: "refuse"; readonly facts: RefusalFacts }
  | { readonly kind: "wait"; readonly untilMs: number };

/** An answer to be judged. */
export type Answer = {
  /** Undefined for an error, for a result that is not of a tool, and for one that was too long to read. */
  readonly result: unknown;
  /** What the model sees of it; undefined when it was too long to read. */
  readonly visible: readonly Part[] | undefined;
  /** Bytes of its line: no text in it can cost more than these allow. */
  readonly bytes: number;
  /** True when it has passed already and can only be charged. */
  readonly hasPassed: boolean;
};

/** What the client gets. */
export type Delivery =
  | { readonly kind: "pass" }
  | { readonly kind: "refuse"; readonly facts: RefusalFacts }
  | { readonly kind: "replace"; readonly result: unknown };

/** When and for whom is judged. */
export type Circumstances = { readonly reader: Reader; readonly nowMs: number };

/** Tokens, and what is known of them. */
export type Price = { readonly tokens: number; readonly sureness: Sureness };
