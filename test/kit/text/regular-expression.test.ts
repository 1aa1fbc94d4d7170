import { expect, test } from "bun:test";
import { compilePattern } from "#kit/text/regular-expression.ts";

function isIn(source: string, text: string): boolean {
  const compiled = compilePattern(source);
  return "fault" in compiled ? expect.unreachable(compiled.fault) : compiled.pattern.occursIn(text);
}

test.each([
  ["b+", "abbc", true],
  ["^b", "ab", false],
  ["(?i)B", "ab", true],
  ["(?m)^b$", "a\nb\nc", true],
  ["\\p{Lu}é", "Éé", true],
  ["(?<year>\\d{4})", "2026", true],
])("compilePattern %j in %j: %p", (source, text, found) => {
  expect(isIn(source, text)).toBe(found);
});

// A backtracking engine would need longer than the age of the universe for each.
test.each([
  ["(a+)+$", `${"a".repeat(50_000)}b`],
  ["(x+x+)+y", "x".repeat(50_000)],
  ["(?:a|a)*c", `${"a".repeat(50_000)}b`],
])("compilePattern %j ends", (source, text) => {
  expect(isIn(source, text)).toBe(false);
});

test.each([
  ["(", "missing closing )"],
  ["(?=a)", 'invalid or unsupported Perl syntax in "(?="'],
  ["(a)\\1", "invalid escape sequence"],
  ["((a{0,100}){0,100}){0,100}", "invalid repeat count"],
  ["(".repeat(400) + ")".repeat(400) + "{1000}{1000}", ""],
])("compilePattern of %j is a fault", (source, fault) => {
  const compiled = compilePattern(source);
  expect("fault" in compiled ? compiled.fault : "compiled").toContain(fault);
});
