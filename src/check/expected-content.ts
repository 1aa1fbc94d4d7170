import { attempt } from "#kit/errors.ts";
import { findCommonLength } from "#kit/text/difference.ts";
import { compilePattern, type Pattern } from "#kit/text/regular-expression.ts";
import { unescapeTexts } from "./variables.ts";
import { formatCount, findLargest } from "#kit/text/numbers.ts";
import { joinLines, escapeUnsafe, type Redactor } from "#kit/text/unsafe-text.ts";
import {
  canonicalizeJson,
  isEqual,
  isObject,
  readArray,
  readMember,
  readString,
  stringifyCompact,
  type JsonObject,
} from "#wire/json.ts";
import { parseExactly, writeExactly } from "#wire/written-json.ts";

// The time of a match grows with the length of the pattern.
export const patternCharactersMax = 1_000;

// `source` is as written in the calls file, before `$${` becomes `${`.
export type Expectation =
  | { readonly rule: "contains"; readonly text: string; readonly source: string }
  | { readonly rule: "matches"; readonly source: string; readonly pattern: Pattern }
  | {
      readonly rule: "equals";
      readonly pointer: string;
      readonly value: unknown;
      readonly source: unknown;
    };

type ExpectationFault = { readonly fault: string; readonly path: readonly string[] };

export function planExpectations({
  contains = [],
  matches = [],
  equals = {},
}: RawExpectation): { readonly expectations: readonly Expectation[] } | ExpectationFault {
  const rules: readonly PlannedRule[] = [
    ...planTexts("contains", contains, planText),
    ...planTexts("matches", matches, planPattern),
    ...Object.entries(equals).map(([pointer, source]) => ({
      path: ["equals", pointer],
      planned: planValue(pointer, source),
    })),
  ];
  const expectations: Expectation[] = [];
  for (const { path, planned } of rules) {
    if ("fault" in planned) {
      return { fault: planned.fault, path: [...path, ...(planned.path ?? [])] };
    }
    expectations.push(planned);
  }
  return { expectations };
}

type PlannedOrFault = Expectation | { readonly fault: string; readonly path?: readonly string[] };

type PlannedRule = { readonly path: readonly string[]; readonly planned: PlannedOrFault };

function planTexts(
  name: string,
  texts: string | readonly string[],
  plan: (source: string) => PlannedOrFault,
): readonly PlannedRule[] {
  if (typeof texts === "string") return [{ path: [name], planned: plan(texts) }];
  return texts.map((source, at) => ({ path: [name, String(at)], planned: plan(source) }));
}

function planText(source: string): PlannedOrFault {
  const unescaped = unescapeTexts(source);
  return "fault" in unescaped
    ? unescaped
    : { rule: "contains", text: String(unescaped.value), source };
}

function planValue(pointer: string, source: unknown): PlannedOrFault {
  const unescaped = unescapeTexts(source);
  return "fault" in unescaped
    ? unescaped
    : { rule: "equals", pointer, value: unescaped.value, source };
}

const variablePattern = /(?<!\\)\$\{[A-Za-z_]\w*\}/;

function planPattern(source: string): PlannedOrFault {
  if (source.length > patternCharactersMax) {
    return { fault: `a regular expression may have at most ${patternCharactersMax} characters` };
  }
  if (variablePattern.test(source)) {
    return {
      fault:
        'variables are allowed only in arguments; in a regular expression, write "${" as "\\$\\{"',
    };
  }
  const compiled = compilePattern(source);
  if ("fault" in compiled) {
    return { fault: `not an RE2 regular expression: ${compiled.fault}` };
  }
  return { rule: "matches", source, pattern: compiled.pattern };
}

// A regular expression can take 23 s to match a text of a million characters.
export const matchedCharactersMax = 200_000;

export const excerptCharactersMax = 200;

// Reports show these texts, so they are escaped, shortened and free of secrets.
export type UnmetExpectation = {
  readonly rule: Expectation["rule"];
  readonly pointer: string | null;
  readonly expected: string;
  readonly found: string | null;
  readonly is_too_long?: true;
};

export function judgeAnswer(
  expectations: readonly Expectation[],
  answer: AnswerContent,
  redact: Redactor,
): UnmetExpectation[] {
  return expectations
    .filter((expectation) => !isMet(expectation, answer))
    .map((expectation) => makeUnmet(expectation, answer, redact));
}

function isMet(expectation: Expectation, { text, json }: AnswerContent): boolean {
  switch (expectation.rule) {
    case "contains":
      return text.includes(expectation.text);
    case "matches":
      return text.length <= matchedCharactersMax && expectation.pattern.occursIn(text);
    case "equals": {
      const found = resolvePointer(json, expectation.pointer);
      // A calls file holds an integer that is too large for a double as text.
      return isEqual(typeof found === "symbol" ? found.description : found, expectation.value);
    }
  }
}

function makeUnmet(
  expectation: Expectation,
  { text, json }: AnswerContent,
  redact: Redactor,
): UnmetExpectation {
  const { rule } = expectation;
  if (rule === "equals") return makeUnmetValue(expectation, json, redact);
  if (rule === "matches") {
    const isTooLong = text.length > matchedCharactersMax;
    const lengthText = `${formatCount(text.length)} characters; answers of more than ${formatCount(matchedCharactersMax)} are not matched`;
    const found = isTooLong ? lengthText : cutExcerpt(joinLines(text, redact));
    const expected = cutExcerpt(joinLines(expectation.source));
    return {
      rule,
      pointer: null,
      expected,
      found: text === "" ? null : found,
      ...(isTooLong ? { is_too_long: true } : {}),
    };
  }
  const [expected, found] = [joinLines(expectation.source), joinLines(text, redact)];
  const shared = findSharedBeginning(expected, found);
  return {
    rule,
    pointer: null,
    expected: cutExcerpt(expected, shared.expectedEnd),
    found: text === "" ? null : cutExcerpt(found, shared.foundEnd),
  };
}

function makeUnmetValue(
  { rule, pointer, source }: Expectation & { rule: "equals" },
  json: unknown,
  redact: Redactor,
): UnmetExpectation {
  const value = resolvePointer(json, pointer);
  const expected = formatJson(source);
  const found = value === undefined ? null : redact(formatJson(value));
  const commonLength = found === null ? 0 : findCommonLength(expected, found);
  return {
    rule,
    pointer: cutExcerpt(joinLines(pointer)),
    expected: cutExcerpt(expected, commonLength),
    found: found === null ? null : cutExcerpt(found, commonLength),
  };
}

function formatJson(value: unknown): string {
  try {
    return writeExactly(value, canonicalizeJson);
  } catch {
    return stringifyCompact(value);
  }
}

function findSharedBeginning(
  expected: string,
  found: string,
): { readonly expectedEnd: number; readonly foundEnd: number } {
  const shared = findLargest(expected.length, (length) =>
    found.includes(expected.slice(0, length)),
  );
  // An answer may contain a short beginning of the expected text by chance.
  if (shared * 2 < expected.length) return { expectedEnd: 0, foundEnd: 0 };
  return { expectedEnd: shared, foundEnd: found.indexOf(expected.slice(0, shared)) + shared };
}

function cutExcerpt(text: string, differenceAt = 0): string {
  if (text.length <= excerptCharactersMax) return escapeUnsafe(text);
  const lastStart = text.length - excerptCharactersMax;
  const start = Math.max(0, Math.min(differenceAt - excerptCharactersMax / 2, lastStart));
  const excerpt = text.slice(start, start + excerptCharactersMax).toWellFormed();
  return escapeUnsafe(`${start > 0 ? "…" : ""}${excerpt}${start < lastStart ? "…" : ""}`);
}

export type RawExpectation = {
  readonly contains?: string | readonly string[];
  readonly matches?: string | readonly string[];
  readonly equals?: JsonObject;
};

type AnswerContent = {
  // The texts of all blocks, joined by newlines. Without texts, structuredContent as compact JSON.
  readonly text: string;
  // structuredContent. Without it, `text` parsed as JSON, or undefined if `text` is not JSON.
  readonly json: unknown;
};

// `line` is the response as JSON text, from which `parseExactly` reads numbers that a double cannot hold.
export function readAnswer(result: unknown, line?: string): AnswerContent {
  const texts = readArray(result, "content").flatMap((block) => readText(block) ?? []);
  const structured = readMember(result, "structuredContent");
  const text = texts.length > 0 ? texts.join("\n") : stringifyCompact(structured);
  if (structured === undefined || structured === null) return { text, json: tryParse(text) };
  const parsedLine = line === undefined ? undefined : tryParse(line);
  return { text, json: readMember(parsedLine, "result", "structuredContent") ?? structured };
}

function readText(block: unknown): string | undefined {
  return readString(block, "text") ?? readString(block, "resource", "text");
}

function tryParse(text: string): unknown {
  return attempt(() => parseExactly(text));
}

function resolvePointer(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  const steps = pointer.slice(1).split("/");
  return steps
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, step) => findChild(node, step), value);
}

function findChild(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
