import { expectationCharactersMax, matchedCharactersMax } from "#limits.ts";
import { formatCount } from "#text/numbers.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { compactJson } from "#wire/json.ts";
import { isEqual } from "#wire/json-equal.ts";
import { type AnswerParts, partAt } from "./answer.ts";
import type { Expectation } from "./expectation.ts";
import type { Redact } from "./redact.ts";

/** A condition that an answer does not meet; its values are sanitised, shortened and without secrets. */
export type UnmetExpectation = {
  readonly rule: Expectation["rule"];
  /** JSON pointer of `equals`; null for a condition on the text. */
  readonly pointer: string | null;
  /** A text, a regular expression, or a value as JSON. */
  readonly expected: string;
  /** The beginning of the text, or the value as JSON; null when there is none. */
  readonly found: string | null;
};

/** The conditions that the answer does not meet. */
export function judgeAnswer(
  expectations: readonly Expectation[],
  answer: AnswerParts,
  redact: Redact,
): UnmetExpectation[] {
  return expectations
    .filter((expectation) => !isMet(expectation, answer))
    .map((expectation) => describe(expectation, answer, redact));
}

function isMet(expectation: Expectation, { text, structure }: AnswerParts): boolean {
  switch (expectation.rule) {
    case "contains":
      return text.includes(expectation.text);
    case "matches":
      return text.length <= matchedCharactersMax && expectation.pattern.isIn(text);
    case "equals":
      return isEqual(partAt(structure, expectation.pointer), expectation.value);
  }
}

function describe(
  expectation: Expectation,
  { text, structure }: AnswerParts,
  redact: Redact,
): UnmetExpectation {
  const { rule } = expectation;
  if (rule === "equals") {
    const { pointer, source } = expectation;
    const found = partAt(structure, pointer);
    return {
      rule,
      pointer: shown(pointer),
      expected: shown(compactJson(source)),
      found: found === undefined ? null : shown(redact(compactJson(found))),
    };
  }
  const isTooLong = rule === "matches" && text.length > matchedCharactersMax;
  const size = `${formatCount(text.length)} characters, of which at most ${formatCount(matchedCharactersMax)} are matched`;
  const found = isTooLong ? size : shown(redact(text));
  const { source } = expectation;
  return { rule, pointer: null, expected: shown(source), found: text === "" ? null : found };
}

/** A text in one line, sanitised and shortened. */
function shown(text: string): string {
  const line = text
    .slice(0, expectationCharactersMax * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  const isCut =
    line.length > expectationCharactersMax || text.length > expectationCharactersMax * 2;
  const kept = line.slice(0, expectationCharactersMax).toWellFormed();
  return escapeUnsafe(isCut ? `${kept}…` : kept);
}
