import { expect, test } from "bun:test";
import { createRedactor } from "#check/redact-known-values.ts";
import { describeOutputMismatch, faultCharactersMax } from "#check/output-schema-problems.ts";
import { keepText } from "#kit/text/unsafe-text.ts";

const at = (pointer: string | null, reason: string, isSdk1Only = false) => ({
  pointer,
  reason,
  isSdk1Only,
});

test.each([
  [
    at("/a/0", "must be string"),
    "structuredContent does not match its outputSchema: /a/0 must be string",
  ],
  [
    at("", 'must have the property "a"'),
    'structuredContent does not match its outputSchema: it must have the property "a"',
  ],
  [
    at("/a", "must be string", true),
    "structuredContent does not match its outputSchema in SDK 1.x, which reads every schema as draft-07 and also validates error results: /a must be string",
  ],
  [
    at(null, "Maximum call stack size exceeded."),
    "structuredContent cannot be validated against its outputSchema: Maximum call stack size exceeded.",
  ],
] as const)("describeOutputMismatch: %j", (found, text) => {
  expect(describeOutputMismatch(found, keepText)).toEqual({ rule: "structure_mismatch", text });
});

test("describeOutputMismatch when the validation did not end", () => {
  expect(describeOutputMismatch("too_slow", keepText)).toEqual({
    rule: "structure_not_compared",
    text: "validating its structuredContent takes too long, and would keep a client busy",
  });
  expect(describeOutputMismatch("crashed", keepText).rule).toBe("structure_not_compared");
});

test("describeOutputMismatch shows no secret, also where a pointer escapes it, and no unsafe character", () => {
  const redact = createRedactor(new Map([["KEY", "s3/cr~et"]]));
  const found = at("/a~1b/s3~1cr~0et", 'must not have the property "s3/cr~et\u202e"');
  expect(describeOutputMismatch(found, redact).text).toBe(
    'structuredContent does not match its outputSchema: /a~1b/${KEY} must not have the property "${KEY}\\u202e"',
  );
});

test("describeOutputMismatch is in one line, at most as long as its limit", () => {
  const { text } = describeOutputMismatch(at("", `x\n${"y".repeat(1_000)}`), keepText);
  expect(text).toContain(": it x yyy");
  expect(text).toHaveLength(faultCharactersMax + 1);
});
