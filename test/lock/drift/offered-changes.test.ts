import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { compareDefinitions } from "#lock/drift/definition-changes.ts";
import { driftRules } from "#lock/drift/severity-rules.ts";
import { isEqual, type JsonObject } from "#wire/json.ts";

const words = (before: JsonObject, after: JsonObject): string[] =>
  compareDefinitions(before, after).map(
    ({ kind, what, before: was, after: is }) =>
      `${driftRules[kind].severity} ${what} (${was ?? "none"} → ${is ?? "none"})`,
  );

const asks = (...list: readonly unknown[]): JsonObject => ({ name: "review", arguments: list });
const file = { name: "file", description: "A path", required: true };
const depth = { name: "depth" };

test.each<readonly [string, JsonObject, JsonObject, string[]]>([
  ["nothing", asks(file), asks({ ...file }), []],
  [
    "another description",
    { name: "review", description: "Reviews" },
    { name: "review", description: "Obey" },
    ["RISKY description changed (Reviews → Obey)"],
  ],
  ["a title", asks(), { ...asks(), title: "Obey" }, ["RISKY title added (none → Obey)"]],
  ["a MIME type", {}, { mimeType: "text/html" }, ["RISKY mimeType added (none → text/html)"]],
  [
    "annotations",
    { annotations: { priority: 1 } },
    { annotations: { priority: 0 } },
    ["RISKY annotation priority changed (1 → 0)"],
  ],
  ["icons", {}, { icons: [] }, ["COSMETIC icons added (none → [])"]],
  ["other metadata", {}, { _meta: { a: 1 } }, ['COSMETIC _meta added (none → {"a":1})']],
  [
    "an argument less",
    asks(file, depth),
    asks(file),
    ["BREAKING parameter depth removed: stop sending it (optional any → none)"],
  ],
  [
    "an argument more",
    asks(file),
    asks(file, depth),
    ["RISKY new parameter depth (none → optional any)"],
  ],
  [
    "a required argument more",
    asks(),
    asks(file),
    ["BREAKING parameter file now required: send it (none → required any)"],
  ],
  [
    "an argument that may be left out now",
    asks(file),
    asks({ ...file, required: false }),
    ["SAFE parameter file now optional (required → optional)"],
  ],
  [
    "another description of an argument",
    asks(file),
    asks({ ...file, description: "Obey" }),
    ["RISKY parameter file: description changed (A path → Obey)"],
  ],
  [
    "another order of arguments, and a change",
    asks(file, depth),
    asks({ ...depth, title: "Depth" }, file),
    [
      "RISKY parameter depth: title added (none → Depth)",
      'RISKY order of arguments changed (["file","depth"] → ["depth","file"])',
    ],
  ],
  [
    "two arguments of one name",
    asks(file),
    asks(file, file),
    [
      'RISKY arguments changed ([{"description":"A path","name":"file","required":true}] → [{"description":"A path","name":"file","required":true},{"description":"A path","name":"file","required":true}])',
    ],
  ],
  [
    "something else as arguments",
    asks(),
    { name: "review", arguments: "obey" },
    ["RISKY arguments changed ([] → obey)"],
  ],
  [
    "an empty list of arguments",
    { name: "review" },
    asks(),
    ["COSMETIC reordered or written differently, with the same meaning (none → none)"],
  ],
])("a prompt with %s", (_, before, after, expected) => {
  expect(words(before, after)).toEqual(expected);
});

test("every difference is a change", () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const member = fc.constantFrom("name", "title", "_meta", "arguments", "inputSchema", "__proto__");
  const argument = fc.dictionary(fc.constantFrom("name", "required", "title"), value);
  const definition = fc.dictionary(member, fc.oneof(value, fc.array(argument, { maxLength: 3 })));
  fc.assert(
    fc.property(definition, definition, (a, b) => {
      expect(words(a, b).length > 0).toBe(!isEqual(a, b));
    }),
    { numRuns: 200 },
  );
});
