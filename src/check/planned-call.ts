import type { JsonObject } from "#wire/json.ts";
import { isObject } from "#wire/json.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { misfit, type Shape } from "#lock/shape.ts";

/** One call of a calls file. */
export type PlannedCall = {
  /** What reports call it: its own name, else its tool and place in the file. */
  readonly name: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Whether the tool is expected to say that it failed. */
  readonly isError: boolean;
  /** Most tokens, arguments and answer together; undefined without a budget of its own. */
  readonly budgetTokens: number | undefined;
  readonly repeat: number;
};

const callShape: Shape = {
  members: {
    tool: "text",
    arguments: { optional: "anything" },
    isError: { optional: "flag" },
    budget: { optional: "anything" },
    repeat: { optional: "count" },
    name: { optional: "text" },
  },
};

/** The calls of a parsed file, or why it holds none; `parseTokens` reads budgets such as `2k`. */
export function planCalls(
  rawCalls: unknown,
  parseTokens: (text: string) => number | undefined,
): { readonly calls: PlannedCall[] } | { readonly fault: string } {
  const fault = misfit(rawCalls, { items: callShape });
  if (fault !== undefined) return { fault };
  const calls: PlannedCall[] = [];
  for (const [at, raw] of (Array.isArray(rawCalls) ? rawCalls : []).entries()) {
    const planned = planCall(isObject(raw) ? raw : {}, at, parseTokens);
    if ("fault" in planned) return { fault: `[${at}].${planned.fault}` };
    calls.push(planned);
  }
  return calls.length === 0 ? { fault: "it holds no call" } : { calls };
}

function planCall(
  raw: JsonObject,
  at: number,
  parseTokens: (text: string) => number | undefined,
): PlannedCall | { readonly fault: string } {
  const { tool, name, isError, repeat, budget: rawBudget, arguments: rawArguments } = raw;
  if (rawArguments !== undefined && !isObject(rawArguments)) {
    return { fault: "arguments must be an object" };
  }
  const budgetTokens = rawBudget === undefined ? undefined : parseTokens(String(rawBudget));
  if (rawBudget !== undefined && budgetTokens === undefined) {
    return { fault: "budget must be a number of tokens such as 2000 or 2k" };
  }
  const count = repeat === undefined ? 1 : Number(repeat);
  if (count < 1) return { fault: "repeat must be at least 1" };
  return {
    name: typeof name === "string" && name !== "" ? name : `${String(tool)} #${at + 1}`,
    tool: String(tool),
    arguments: isObject(rawArguments) ? rawArguments : {},
    isError: isError === true,
    budgetTokens,
    repeat: count,
  };
}

/** What recorded answers are known by: tool and arguments, in whatever order those are written. */
export function answerKey(
  { tool, arguments: args }: Pick<PlannedCall, "tool" | "arguments">,
  hash: (text: string) => string,
): string {
  return hash(canonicalJson([tool, args]));
}
