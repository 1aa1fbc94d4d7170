import { expect, test } from "bun:test";
import { createRedact } from "#check/redact.ts";
import { structureFault, structureFaultCharactersMax } from "#check/output-schema-problems.ts";
import { cleanNothing } from "#kit/text/unsafe-text.ts";

const at = (pointer: string, reason: string, isOlderOnly = false) => ({
  pointer,
  reason,
  isOlderOnly,
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
    "structuredContent does not match the outputSchema by SDK 1.x, which reads it as draft-07: /a must be string",
  ],
] as const)("structureFault: %j", (found, text) => {
  expect(structureFault(found, cleanNothing)).toEqual({ rule: "structure_mismatch", text });
});

test("describeStructureFault of a comparison without a result", () => {
  expect(structureFault("too_slow", cleanNothing)).toEqual({
    rule: "structure_not_compared",
    text: "its outputSchema takes too long to be compared with, and would keep a client busy",
  });
  expect(structureFault("crashed", cleanNothing).rule).toBe("structure_not_compared");
});

test("describeStructureFault shows no secret, also where a pointer escapes it, and no unsafe character", () => {
  const clean = createRedact(new Map([["KEY", "s3/cr~et"]]));
  const found = at("/a~1b/s3~1cr~0et", 'must not have the property "s3/cr~et\u202e"');
  expect(structureFault(found, clean).text).toBe(
    'structuredContent does not match its outputSchema: /a~1b/${KEY} must not have the property "${KEY}\\u202e"',
  );
});

test("describeStructureFault is in one line, at most as long as its limit", () => {
  const { text } = structureFault(at("", `x\n${"y".repeat(1_000)}`), cleanNothing);
  expect(text).toContain(": it x yyy");
  expect(text).toHaveLength(structureFaultCharactersMax + 1);
});
