import {
  describeValue,
  type Mismatch,
  formatPath,
  validateValue,
} from "#kit/text/schema-mismatch.ts";
import { canonicalizeJson, isObject, type JsonObject } from "#wire/json.ts";
import { validate } from "../../dist/validators/calls.js";
import { type Expectation, planExpectations, type RawExpectation } from "./expected-content.ts";
import { fillVariables, type Environment } from "./variables.ts";

export type RawDocument =
  | readonly RawCall[]
  | {
      readonly timeout?: number;
      readonly calls: readonly RawCall[];
    };

type RawCall = {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly isError?: boolean;
  readonly expect?: RawExpectation;
  readonly budget?: number | string;
  readonly repeat?: number;
  readonly timeout?: number;
  readonly skip?: string;
  readonly name?: string;
};

export type PlannedCall = {
  readonly name: string;
  readonly line: number;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly filledArguments: JsonObject;
  readonly isError: boolean;
  readonly expectations: readonly Expectation[];
  readonly budgetTokens: number | undefined;
  readonly repeat: number;
  readonly timeoutMs: number | undefined;
  readonly skip: string | undefined;
};

// The key does not depend on the values of variables or the order of the arguments.
export function makeAnswerKey(
  { tool, arguments: args }: Pick<PlannedCall, "tool" | "arguments">,
  hash: (text: string) => string,
): string {
  return hash(canonicalizeJson([tool, args]));
}

export type Plan = {
  readonly calls: readonly PlannedCall[];
  // Values of variables, by the variable's name. Reports must not show the values.
  readonly secrets: ReadonlyMap<string, string>;
};

type PlanContext = {
  readonly parseTokens: (text: string) => number | undefined;
  readonly env: Environment;
  readonly findLine: (path: readonly string[]) => number;
};

export function planCalls(rawDocument: unknown, context: PlanContext): Plan | Mismatch {
  if (!Array.isArray(rawDocument) && !isObject(rawDocument)) return makeFileMismatch(rawDocument);
  const label = Array.isArray(rawDocument) ? "the list of calls" : "";
  const validated = validateValue(rawDocument, validate, (steps) =>
    steps.length === 0 ? label : describePath(steps),
  );
  if ("fault" in validated) return validated;
  const { rawCalls, timeout, prefix } = splitDocument(validated.value);
  const calls: PlannedCall[] = [];
  const secrets = new Map<string, string>();
  for (const [index, raw] of rawCalls.entries()) {
    const path = [...prefix, String(index)];
    const call = planCall(raw, { ...context, secrets, timeout, index, path });
    if ("fault" in call) return { ...call, path: [...path, ...call.path], part: "value" };
    calls.push(call);
  }
  return { calls, secrets };
}

const expectedForm = 'a calls file must be a list of calls, or an object with the list as "calls"';

function makeFileMismatch(value: unknown): Mismatch {
  const fault =
    value === null
      ? `it is empty; ${expectedForm}`
      : `${expectedForm}, not ${describeValue(value, {})}`;
  return { fault, path: [], part: "value" };
}

// If the file is a bare list, a path begins with an index. The shown path has `calls` before the index.
function describePath(steps: readonly string[]): string {
  const isBareList = /^\d+$/.test(steps[0] ?? "");
  return formatPath(isBareList ? ["calls", ...steps] : steps);
}

function splitDocument(document: RawDocument): {
  readonly rawCalls: readonly RawCall[];
  readonly timeout: number | undefined;
  readonly prefix: readonly string[];
} {
  if ("length" in document) return { rawCalls: document, timeout: undefined, prefix: [] };
  return { rawCalls: document.calls, timeout: document.timeout, prefix: ["calls"] };
}

type CallContext = PlanContext & {
  readonly secrets: Map<string, string>;
  readonly timeout: number | undefined;
  readonly index: number;
  readonly path: readonly string[];
};

type PlanFault = Omit<Mismatch, "part">;

function planCall(raw: RawCall, context: CallContext): PlannedCall | PlanFault {
  const { tool, name = "", isError = false, repeat = 1, skip } = raw;
  const members = parseMembers(raw, context);
  if ("fault" in members) return members;
  const seconds = raw.timeout ?? context.timeout;
  return {
    ...members,
    name: name === "" ? `${tool} #${context.index + 1}` : name,
    line: context.findLine(context.path),
    tool,
    arguments: raw.arguments ?? {},
    isError,
    repeat,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    skip,
  };
}

type ParsedMembers = Pick<PlannedCall, "budgetTokens" | "expectations" | "filledArguments">;

// YAML 1.2 reads `no`, `off`, `yes` and `on` as strings, so `skip: no` would skip the call, with "no"
// as the reason. The same goes for a quoted "false" or "0".
const booleanWords = /^(?:n|no|off|false|0|y|yes|on|true|1)$/i;

function findSkipFault({ skip }: RawCall, { path }: CallContext): PlanFault | undefined {
  if (skip === undefined || !booleanWords.test(skip.trim())) return undefined;
  const position = describePath([...path, "skip"]);
  const fault = `${position} must be the reason for skipping the call, not ${JSON.stringify(skip)}; remove "skip" to make the call`;
  return { fault, path: ["skip"] };
}

function parseMembers(raw: RawCall, context: CallContext): ParsedMembers | PlanFault {
  const skipFault = findSkipFault(raw, context);
  if (skipFault) return skipFault;
  const budget = planBudget(raw, context);
  if ("fault" in budget) return budget;
  const expected = planExpectations(raw.expect ?? {});
  if ("fault" in expected) return { ...expected, path: ["expect", ...expected.path] };
  // A call may be skipped because a variable is missing. So the arguments of a skipped call are not filled in.
  const args = raw.skip === undefined ? (raw.arguments ?? {}) : {};
  const filled = fillVariables(args, context.env, context.secrets);
  if ("fault" in filled) return { ...filled, path: ["arguments", ...filled.path] };
  return { ...budget, ...expected, ...filled };
}

function planBudget(
  { budget }: RawCall,
  { parseTokens, path }: CallContext,
): Pick<PlannedCall, "budgetTokens"> | PlanFault {
  if (budget === undefined) return { budgetTokens: undefined };
  const budgetTokens = parseTokens(String(budget));
  if (budgetTokens !== undefined) return { budgetTokens };
  const position = describePath([...path, "budget"]);
  const tokens = "a number of tokens such as 2000 or 2k";
  return {
    fault: `${position} must be ${tokens}, not ${JSON.stringify(budget)}`,
    path: ["budget"],
  };
}
