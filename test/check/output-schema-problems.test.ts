import { expect, test } from "bun:test";
import {
  findOutputSchemaFault,
  findSchemaProblems,
  findRejectingSdks,
} from "#check/output-schema-problems.ts";
import { createRedactor } from "#check/redact-known-values.ts";

test("findSchemaProblems says who rejects what, without secrets", () => {
  const redact = createRedactor(new Map([["KEY", "s3cret"]]));
  const rejectors = ["list", "both", "sdk1", "sdk2"] as const;
  const problems = findSchemaProblems(
    rejectors.map((rejectedBy) => ({ tool: "t s3cret", reason: "no s3cret", rejectedBy })),
    redact,
  );
  expect(problems[0]).toEqual({
    level: "error",
    rule: "output_schema_rejected",
    about: "t ${KEY}",
    text: "clients reject its outputSchema: no ${KEY}; they reject the whole list because of it",
    line: null,
    place: "schemas",
  });
  expect(problems.map(({ text }) => text.split("; ")[1])).toEqual([
    "they reject the whole list because of it",
    "clients built on SDK 1.x then reject the whole list, and clients built on SDK 2.x never call the tool",
    "clients built on SDK 1.x then reject the whole list",
    "clients built on SDK 2.x then never call the tool",
  ]);
});

test("findSchemaProblems does not say who rejects a schema that could not be compiled here", () => {
  const rejection = {
    tool: "t",
    reason: "takes too long to compile",
    rejectedBy: "unknown",
  } as const;
  const [problem] = findSchemaProblems([rejection], (text) => text);
  expect(problem?.text).toBe("its outputSchema takes too long to compile");
});

// Clients' reactions to each are in test/check/mcp-client/structured-content/output-schemas.test.ts.
test("findOutputSchemaFault accepts an object schema", () => {
  expect(findOutputSchemaFault({ type: "object", properties: { a: {} } }, false)).toBeUndefined();
});

test("findRejectingSdks names the clients of 1.x alone for a property that is not an object", () => {
  const properties = { a: true };
  expect(findRejectingSdks({ type: "object", properties }, false)).toBe("sdk1");
  expect(findRejectingSdks({ type: "array", properties }, false)).toBe("both");
  expect(findRejectingSdks({ type: "object", properties: [] }, false)).toBe("both");
  expect(findRejectingSdks(5, true)).toBe("both");
});
