import { patternCharactersMax } from "#limits.ts";
import { compilePattern, type Pattern } from "#text/pattern.ts";
import type { RawExpectation } from "./raw-calls.ts";

/** One condition on an answer. */
export type Expectation =
  | { readonly rule: "contains"; readonly text: string }
  | { readonly rule: "matches"; readonly source: string; readonly pattern: Pattern }
  /** `pointer` is a JSON pointer into the structure of the answer. */
  | { readonly rule: "equals"; readonly pointer: string; readonly value: unknown };

/** A mistake in an expectation: a clause, and the steps to it. */
type ExpectationFault = { readonly fault: string; readonly path: readonly string[] };

/** The conditions of a call, in the order text, pattern, structure. */
export function planExpectations(
  raw: RawExpectation,
): { readonly expectations: readonly Expectation[] } | ExpectationFault {
  const { contains = [], matches = [], equals = {} } = raw;
  const texts = listed(contains).map((text) => ({ rule: "contains", text }) as const);
  const values = Object.entries(equals).map(
    ([pointer, value]) => ({ rule: "equals", pointer, value }) as const,
  );
  const patterns: Expectation[] = [];
  for (const [at, source] of listed(matches).entries()) {
    const compiled = compileBounded(source);
    if ("fault" in compiled) {
      const path = typeof matches === "string" ? ["matches"] : ["matches", String(at)];
      return { fault: compiled.fault, path };
    }
    patterns.push({ rule: "matches", source, ...compiled });
  }
  return { expectations: [...texts, ...patterns, ...values] };
}

function listed(texts: string | readonly string[]): readonly string[] {
  return typeof texts === "string" ? [texts] : texts;
}

function compileBounded(
  source: string,
): { readonly pattern: Pattern } | { readonly fault: string } {
  if (source.length > patternCharactersMax) {
    return { fault: `a regular expression may have at most ${patternCharactersMax} characters` };
  }
  const compiled = compilePattern(source);
  if ("pattern" in compiled) return compiled;
  return { fault: `not a regular expression of RE2: ${compiled.fault}` };
}
