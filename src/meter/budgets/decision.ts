import type { Budget } from "./budget.ts";
import type { Closed } from "../calls/call.ts";
import type { Ceiling } from "#tokens/cost/count-parts.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { LockGuard } from "#lock/lock-guard.ts";
import type { RecordBody } from "#records/record.ts";
import type { SpillFolder } from "#tokens/cost/client-profiles/client-profile.ts";
import type { RequestFacts } from "#tokens/cost/visibility.ts";

export type TokenCount = { readonly tokens: number; readonly precision: Precision };

export type DecisionContext = {
  readonly reader: Reader;
  readonly nowMs: number;
  readonly isSettled: boolean; // counters have the real cost of all finished calls
  readonly holdMaxMs: number; // for how long the request may still be held; 0 for an answer
  readonly wasDecidedBefore: boolean;
  readonly mayAsk: boolean; // the decision may wait for a counter that cannot answer at once
  // Counts an upper bound of the answer's tokens in the background. Returns undefined until the count ends.
  readonly requestUpperBound?:
    ((closed: Closed, ceiling: () => Ceiling) => number | undefined) | undefined;
  readonly lock: Pick<LockGuard, "judgeTool"> | undefined;
};

export type Decision = { readonly records: readonly RecordBody[] } & (
  | { readonly kind: "forward" }
  | { readonly kind: "refuse"; readonly facts: RefusalFacts }
  | { readonly kind: "hold"; readonly untilMs: number }
  | { readonly kind: "replace"; readonly result: unknown }
  | { readonly kind: "unsettled" } // decide again after the finished calls are counted
  | { readonly kind: "pending" } // decide again later, for example after a slow counter replies
);

export const forward: Decision = { kind: "forward", records: [] };

export const unsettled: Decision = { kind: "unsettled", records: [] };

export const pendingDecision: Decision = { kind: "pending", records: [] };

/** An answer that does not fit its budget. */
export type Excess = {
  readonly result: unknown; // undefined if the answer is not a tool's result or was not parsed
  readonly request: RequestFacts;
  readonly room: number; // tokens that still fit
  readonly spec: string; // of the budget
  readonly reader: Reader;
  readonly saveAnswer: SaveAnswer;
};

/** The whole answer as text, to be saved where the client's model can read it. */
export type SavedAnswer = {
  readonly text: string;
  readonly extension: string;
  readonly folder: SpillFolder;
};

/** Returns the file's path, or undefined if writing failed. */
export type SaveAnswer = (answer: SavedAnswer) => string | undefined;

export type ExcessOutcome =
  | { readonly kind: "pass" }
  | { readonly kind: "refuse" }
  | { readonly kind: "replace"; readonly result: unknown };

// An action declares its effects, so that callers need not compare ids.
export type Action = {
  readonly id: string;
  readonly isEnforcing: boolean; // keeps calls within the budget
  readonly holdsAnswers: boolean; // holds an answer until the decision on it
  readonly waits: boolean; // holds a request until the budget refills
  readonly reduces: boolean; // shortens an answer until it fits
  readonly saves: boolean; // writes the whole answer to a file
  handleExcess(excess: Excess): ExcessOutcome;
};

export type RefusalReason =
  | "arguments_over_budget"
  | "budget_spent"
  | "counters_unreachable"
  | "tool_forbidden"
  | "answer_over_budget"
  | "repeated_call"
  | "definition_changed"
  | "tool_not_locked"
  | "tool_hidden"
  | "definition_not_seen"
  | "config_invalid";

// A long text is counted only up to a limit ("at least"). "At most" is an upper bound: the text was not parsed, or the
// model may read less of it.
type Precision = "exactly" | "at least" | "at most";

export type RefusalFacts = {
  readonly reason: RefusalReason;
  readonly name: string;
  readonly budget: Budget;
  readonly spent: number;
  readonly held: number;
  readonly amount?: number; // of the call; in the unit of the budget, like `spent`
  readonly tokens: number;
  readonly precision: Precision;
  readonly refillMs: number; // until the counter is back at zero; Infinity if never
  readonly usualTokens?: number | undefined; // of a usual call; set only if a usual call would not fit the budget now
  readonly isUnknownClient?: boolean;
};
