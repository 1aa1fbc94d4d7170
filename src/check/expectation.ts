import { compilePattern, type Pattern } from "#kit/text/pattern.ts";
import { rejectVariables } from "./variables.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { joinLines, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { canonicalizeJson, isEqual, stringifyCompact, type JsonObject } from "#wire/json.ts";
import { type AnswerParts, findValue } from "./malformed-answer.ts";
import { writeExactly } from "./exact-json.ts";
import type { Redactor } from "./redact.ts";

// The time of a match grows with the length of the pattern.
export const patternCharactersMax = 1_000;

type Expectation =
  | { readonly rule: "contains"; readonly text: string; readonly source: string }
  | { readonly rule: "matches"; readonly source: string; readonly pattern: Pattern }
  | {
      readonly rule: "equals";
      readonly pointer: string;
      readonly value: unknown;
      readonly source: unknown;
    };

type ExpectationFault = { readonly fault: string; readonly path: readonly string[] };

export function planExpectations(
  raw: RawExpectation,
): { readonly expectations: readonly Expectation[] } | ExpectationFault {
  const expectations: Expectation[] = [];
  for (const { path, planned } of planRules(raw)) {
    if ("fault" in planned) {
      return { fault: planned.fault, path: [...path, ...(planned.path ?? [])] };
    }
    expectations.push(planned);
  }
  return { expectations };
}

type PlannedOrFault = Expectation | { readonly fault: string; readonly path?: readonly string[] };

function planRules({
  contains = [],
  matches = [],
  equals = {},
}: RawExpectation): { readonly path: readonly string[]; readonly planned: PlannedOrFault }[] {
  return [
    ...listTexts("contains", contains).map(({ path, source }) => ({
      path,
      planned: planText(source),
    })),
    ...listTexts("matches", matches).map(({ path, source }) => ({
      path,
      planned: planPattern(source),
    })),
    ...Object.entries(equals).map(([pointer, source]) => ({
      path: ["equals", pointer],
      planned: planValue(pointer, source),
    })),
  ];
}

function listTexts(
  name: string,
  texts: string | readonly string[],
): { readonly path: readonly string[]; readonly source: string }[] {
  if (typeof texts === "string") return [{ path: [name], source: texts }];
  return texts.map((source, at) => ({ path: [name, String(at)], source }));
}

function planText(source: string): PlannedOrFault {
  const read = rejectVariables(source);
  return "fault" in read ? read : { rule: "contains", text: String(read.value), source };
}

function planValue(pointer: string, source: unknown): PlannedOrFault {
  const read = rejectVariables(source);
  return "fault" in read ? read : { rule: "equals", pointer, value: read.value, source };
}

const variablePattern = /(?<!\\)\$\{[A-Za-z_]\w*\}/;

function planPattern(source: string): PlannedOrFault {
  if (source.length > patternCharactersMax) {
    return { fault: `a regular expression may have at most ${patternCharactersMax} characters` };
  }
  if (variablePattern.test(source)) {
    return {
      fault:
        'variables are allowed in arguments only; in a regular expression, write "${" as "\\$\\{"',
    };
  }
  const compiled = compilePattern(source);
  if ("fault" in compiled) {
    return { fault: `not an RE2 regular expression: ${compiled.fault}` };
  }
  return { rule: "matches", source, pattern: compiled.pattern };
}

// The worst regular expression takes 23 s per million characters.
export const matchedCharactersMax = 200_000;

export const expectationCharactersMax = 200;

// Its texts are sanitised, shortened and free of secrets.
export type UnmetExpectation = {
  readonly rule: Expectation["rule"];
  readonly pointer: string | null;
  readonly expected: string;
  readonly found: string | null;
};

export function judgeAnswer(
  expectations: readonly Expectation[],
  answer: AnswerParts,
  redact: Redactor,
): UnmetExpectation[] {
  return expectations
    .filter((expectation) => !isMet(expectation, answer))
    .map((expectation) => describeUnmet(expectation, answer, redact));
}

function isMet(expectation: Expectation, { text, structure }: AnswerParts): boolean {
  switch (expectation.rule) {
    case "contains":
      return text.includes(expectation.text);
    case "matches":
      return text.length <= matchedCharactersMax && expectation.pattern.occursIn(text);
    case "equals":
      return isEqual(findValue(structure, expectation.pointer), expectation.value);
  }
}

function describeUnmet(
  expectation: Expectation,
  { text, structure }: AnswerParts,
  redact: Redactor,
): UnmetExpectation {
  const { rule } = expectation;
  if (rule === "equals") return describeValue(expectation, structure, redact);
  if (rule === "matches") {
    const isTooLong = text.length > matchedCharactersMax;
    const size = `${formatCount(text.length)} characters; at most ${formatCount(matchedCharactersMax)} are matched`;
    const found = isTooLong ? size : shorten(joinLines(text, redact));
    const expected = shorten(joinLines(expectation.source));
    return { rule, pointer: null, expected, found: text === "" ? null : found };
  }
  const [expected, found] = [joinLines(expectation.source), joinLines(text, redact)];
  const beginning = findSharedBeginning(expected, found);
  return {
    rule,
    pointer: null,
    expected: shorten(expected, beginning.expectedEnd),
    found: text === "" ? null : shorten(found, beginning.foundEnd),
  };
}

function describeValue(
  { rule, pointer, source }: Expectation & { rule: "equals" },
  structure: unknown,
  redact: Redactor,
): UnmetExpectation {
  const value = findValue(structure, pointer);
  const expected = formatJson(source);
  const found = value === undefined ? null : redact(formatJson(value));
  const sameLength = found === null ? 0 : countSharedCharacters(expected, found);
  return {
    rule,
    pointer: shorten(joinLines(pointer)),
    expected: shorten(expected, sameLength),
    found: found === null ? null : shorten(found, sameLength),
  };
}

function formatJson(value: unknown): string {
  try {
    return writeExactly(value, canonicalizeJson);
  } catch {
    return stringifyCompact(value);
  }
}

function countSharedCharacters(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function findSharedBeginning(
  expected: string,
  found: string,
): { readonly expectedEnd: number; readonly foundEnd: number } {
  let [shared, tooLong] = [0, expected.length + 1];
  while (tooLong - shared > 1) {
    const length = Math.floor((shared + tooLong) / 2);
    if (found.includes(expected.slice(0, length))) shared = length;
    else tooLong = length;
  }
  if (shared * 2 < expected.length) return { expectedEnd: 0, foundEnd: 0 };
  return { expectedEnd: shared, foundEnd: found.indexOf(expected.slice(0, shared)) + shared };
}

function shorten(text: string, differenceAt = 0): string {
  if (text.length <= expectationCharactersMax) return escapeUnsafe(text);
  const lastStart = text.length - expectationCharactersMax;
  const start = Math.max(0, Math.min(differenceAt - expectationCharactersMax / 2, lastStart));
  const excerpt = text.slice(start, start + expectationCharactersMax).toWellFormed();
  return escapeUnsafe(`${start > 0 ? "…" : ""}${excerpt}${start < lastStart ? "…" : ""}`);
}

export type RawCalls =
  | readonly RawCall[]
  | {
      readonly timeout?: number;
      readonly calls: readonly RawCall[];
    };

export type RawCall = {
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

export type RawExpectation = {
  readonly contains?: string | readonly string[];
  readonly matches?: string | readonly string[];
  readonly equals?: JsonObject;
};

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

// Hashes the tool and its arguments, in any order, with variables unfilled as in the calls file.
export function makeAnswerKey(
  { tool, arguments: args }: Pick<PlannedCall, "tool" | "arguments">,
  hash: (text: string) => string,
): string {
  return hash(canonicalizeJson([tool, args]));
}
