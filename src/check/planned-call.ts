import { canonicalJson } from "#wire/canonical.ts";
import type { JsonObject } from "#wire/json.ts";
import type { Expectation } from "./expectation.ts";

export type PlannedCall = {
  readonly name: string;
  readonly line: number;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly sent: JsonObject;
  readonly isError: boolean;
  readonly expectations: readonly Expectation[];
  readonly budgetTokens: number | undefined;
  readonly repeat: number;
  readonly timeoutMs: number | undefined;
  readonly skip: string | undefined;
};

/** A hash of tool and arguments as in the file, without values of variables. The order of arguments does not matter. */
export function answerKey(
  { tool, arguments: args }: Pick<PlannedCall, "tool" | "arguments">,
  hash: (text: string) => string,
): string {
  return hash(canonicalJson([tool, args]));
}
