import { canonicalJson } from "#wire/canonical.ts";
import type { JsonObject } from "#wire/json.ts";
import type { Expectation } from "./expectation.ts";

/** One call of a calls file. */
export type PlannedCall = {
  /** Name in reports: its own, else its tool and position in the file. */
  readonly name: string;
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly tool: string;
  /** Arguments as the file has them: `${NAME}` in place of the value of a variable. */
  readonly arguments: JsonObject;
  /** Arguments as they are sent. May hold secrets. */
  readonly sent: JsonObject;
  /** Whether the tool is expected to return an error. */
  readonly isError: boolean;
  readonly expectations: readonly Expectation[];
  /** Most tokens of arguments and answer together; undefined without a budget of its own. */
  readonly budgetTokens: number | undefined;
  readonly repeat: number;
  /** Undefined for the timeout of the command line. */
  readonly timeoutMs: number | undefined;
  /** The reason for not making the call; undefined when it is made. */
  readonly skip: string | undefined;
};

/**
 * The key of a recorded answer: a hash of tool and arguments as the file has them, without values of variables. The
 * order of the arguments does not matter.
 */
export function answerKey(
  { tool, arguments: args }: Pick<PlannedCall, "tool" | "arguments">,
  hash: (text: string) => string,
): string {
  return hash(canonicalJson([tool, args]));
}
