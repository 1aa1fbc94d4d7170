import { compilePattern, type Pattern } from "#kit/text/pattern.ts";
import type { RawExpectation } from "./raw-calls.ts";
import { readWithoutVariables } from "./variables.ts";

// The time of a match grows with the pattern.
export const patternCharactersMax = 1_000;

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

export function planExpectations(
  raw: RawExpectation,
): { readonly expectations: readonly Expectation[] } | ExpectationFault {
  const expectations: Expectation[] = [];
  for (const { path, planned } of plannedIn(raw)) {
    if ("fault" in planned) {
      return { fault: planned.fault, path: [...path, ...(planned.path ?? [])] };
    }
    expectations.push(planned);
  }
  return { expectations };
}

type Planned = Expectation | { readonly fault: string; readonly path?: readonly string[] };

function plannedIn({
  contains = [],
  matches = [],
  equals = {},
}: RawExpectation): { readonly path: readonly string[]; readonly planned: Planned }[] {
  return [
    ...textsIn("contains", contains).map(({ path, source }) => ({
      path,
      planned: planText(source),
    })),
    ...textsIn("matches", matches).map(({ path, source }) => ({
      path,
      planned: planPattern(source),
    })),
    ...Object.entries(equals).map(([pointer, source]) => ({
      path: ["equals", pointer],
      planned: planValue(pointer, source),
    })),
  ];
}

function textsIn(
  name: string,
  texts: string | readonly string[],
): { readonly path: readonly string[]; readonly source: string }[] {
  if (typeof texts === "string") return [{ path: [name], source: texts }];
  return texts.map((source, at) => ({ path: [name, String(at)], source }));
}

function planText(source: string): Planned {
  const read = readWithoutVariables(source);
  return "fault" in read ? read : { rule: "contains", text: String(read.value), source };
}

function planValue(pointer: string, source: unknown): Planned {
  const read = readWithoutVariables(source);
  return "fault" in read ? read : { rule: "equals", pointer, value: read.value, source };
}

const variable = /(?<!\\)\$\{[A-Za-z_]\w*\}/;

function planPattern(source: string): Planned {
  if (source.length > patternCharactersMax) {
    return { fault: `a regular expression may have at most ${patternCharactersMax} characters` };
  }
  if (variable.test(source)) {
    return {
      fault:
        'variables are allowed in arguments only; a regular expression has the text "${" as "\\$\\{"',
    };
  }
  const compiled = compilePattern(source);
  if ("fault" in compiled) {
    return { fault: `not a regular expression of RE2: ${compiled.fault}` };
  }
  return { rule: "matches", source, pattern: compiled.pattern };
}
