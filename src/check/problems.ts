import type { CallProblem, PlayedCall } from "./played-call.ts";

/** What is wrong with a call, in a sentence with its numbers. */
export function problemOf(rule: CallProblem, call: PlayedCall): string {
  switch (rule) {
    case "over_budget":
      return `it takes ${call.tokens} tokens, its budget is ${call.limit ?? 0}`;
    case "grew":
      return `it takes ${call.tokens} tokens, the lock recorded ${call.recorded_tokens ?? 0} and ${call.allowed_tokens ?? 0} are allowed`;
    case "unexpected_error":
      return `it failed${call.error === null ? "" : ` with "${call.error}"`}, it must succeed`;
    case "error_missing":
      return "it succeeded, it must fail";
    case "not_metered":
      return "the meter has no record of it";
  }
}
