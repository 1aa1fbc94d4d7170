import type { JsonObject } from "#wire/json.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { validated } from "#text/validation.ts";
import { validate } from "../../dist/validators/calls.js";

/** One call of a calls file. */
export type PlannedCall = {
  /** Name in reports: its own, else its tool and position in the file. */
  readonly name: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Whether the tool is expected to return an error. */
  readonly isError: boolean;
  /** Most tokens of arguments and answer together; undefined without a budget of its own. */
  readonly budgetTokens: number | undefined;
  readonly repeat: number;
};

/** One call as calls.schema.json describes it. */
export type RawCall = {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly isError?: boolean;
  readonly budget?: number | string;
  readonly repeat?: number;
  readonly name?: string;
};

/** The calls of a parsed file, or why it holds none; `parseTokens` reads budgets such as `2k`. */
export function planCalls(
  rawCalls: unknown,
  parseTokens: (text: string) => number | undefined,
): { readonly calls: PlannedCall[] } | { readonly fault: string } {
  const read = validated(rawCalls, validate);
  if ("fault" in read) return read;
  const calls: PlannedCall[] = [];
  for (const [at, raw] of read.value.entries()) {
    const { tool, name = "", isError = false, repeat = 1, budget } = raw;
    const budgetTokens = budget === undefined ? undefined : parseTokens(String(budget));
    if (budget !== undefined && budgetTokens === undefined) {
      const wanted = "a number of tokens such as 2000 or 2k";
      return { fault: `[${at}].budget must be ${wanted}, not ${JSON.stringify(budget)}` };
    }
    calls.push({
      name: name === "" ? `${tool} #${at + 1}` : name,
      tool,
      arguments: raw.arguments ?? {},
      isError,
      budgetTokens,
      repeat,
    });
  }
  return { calls };
}

/** The key of a recorded answer: a hash of tool and arguments. The order of the arguments does not matter. */
export function answerKey(
  { tool, arguments: args }: Pick<PlannedCall, "tool" | "arguments">,
  hash: (text: string) => string,
): string {
  return hash(canonicalJson([tool, args]));
}
