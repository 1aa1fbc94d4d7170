import { expect, test } from "bun:test";
import {
  findSchemaFault,
  findSchemaProblems,
  findRejectors,
} from "#check/output-schema-problems.ts";
import { createRedactor } from "#check/redact.ts";

test("findSchemaProblems says who rejects what, without secrets", () => {
  const clean = createRedactor(new Map([["KEY", "s3cret"]]));
  const bys = ["list", "both", "older", "newer"] as const;
  const problems = findSchemaProblems(
    bys.map((by) => ({ tool: "t s3cret", reason: "no s3cret", by })),
    clean,
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
    "clients of SDK 1.x then reject the whole list, and clients of SDK 2.x never call the tool",
    "clients of SDK 1.x then reject the whole list",
    "clients of SDK 2.x then never call the tool",
  ]);
});

test("findSchemaProblems does not say who rejects a schema that could not be compiled here", () => {
  const rejection = { tool: "t", reason: "takes too long to compile", by: "unknown" } as const;
  const [problem] = findSchemaProblems([rejection], (text) => text);
  expect(problem?.text).toBe("its outputSchema takes too long to compile");
});

// Clients' reactions to each are in test/check/mcp-client/structures/output-schemas.test.ts.
test("findSchemaFault accepts an object schema", () => {
  expect(findSchemaFault({ type: "object", properties: { a: {} } }, false)).toBeUndefined();
});

test("findRejectors names the clients of 1.x alone for a property that is not an object", () => {
  const properties = { a: true };
  expect(findRejectors({ type: "object", properties }, false)).toBe("older");
  expect(findRejectors({ type: "array", properties }, false)).toBe("both");
  expect(findRejectors({ type: "object", properties: [] }, false)).toBe("both");
  expect(findRejectors(5, true)).toBe("both");
});
