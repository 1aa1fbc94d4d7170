import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { LockedTool } from "#lock/lock.ts";
import { sha256 } from "#kit/os/hash.ts";
import { type JsonObject, canonicalizeJson } from "#wire/json.ts";
import { compareTools } from "#lock/drift/find-drifts.ts";
import { changedTool, lockedTool } from "../support/locks.ts";

const between = (before: LockedTool, after: LockedTool): string[] =>
  compareTools(before, after, riskThresholdsDefault).map(
    ({ severity, kind }) => `${severity} ${kind}`,
  );
test.each([
  ["a heavier worst case", { worst_case_tokens: 1_001 }, ["BREAKING risk_rose"]],
  ["as heavy within its risk", { worst_case_tokens: 1_000 }, []],
  ["no bound", { is_bounded: false }, ["RISKY became_unbounded"]],
  [
    "no bound, and so a heavy guess",
    { is_bounded: false, worst_case_tokens: 7_000 },
    ["RISKY became_unbounded"],
  ],
  [
    "another definition",
    { definition: { name: "tool", title: "T", inputSchema: { type: "object" } } },
    ["BREAKING input_removed", "RISKY text_changed"],
  ],
] as const)("compareTools: a tool with %s", (_, changes, expected) => {
  expect(between(lockedTool(), changedTool(changes)).toSorted()).toEqual([...expected]);
});

const listed = (schema: JsonObject): LockedTool => {
  const definition = { name: "tool", inputSchema: { type: "object", ...schema } };
  return lockedTool({ definition, sha256: sha256(canonicalizeJson(definition)) });
};

test.each([
  [
    { required: ["a", "b"] },
    { required: ["b", "a"] },
    "reordered or written differently, with the same meaning",
  ],
  [
    { properties: { q: { enum: ["a", ["b"]] } } },
    { properties: { q: { enum: [["b"], "a"] } } },
    "reordered or written differently, with the same meaning",
  ],
  [{}, { uniqueItems: false }, "reordered or written differently, with the same meaning"],
  [
    { required: ["a"] },
    { required: ["a", "a"] },
    "reordered or written differently, with the same meaning",
  ],
  [{ const: 1 }, { enum: [1] }, "reordered or written differently, with the same meaning"],
])("compareTools from %j to %j: %s", (before, after, expected) => {
  const drifts = compareTools(listed(before), listed(after), riskThresholdsDefault);
  expect(drifts.map(({ severity, what }) => `${severity} ${what}`)).toEqual([
    `COSMETIC ${expected}`,
  ]);
});

test("compareTools: a lighter worst case and a bound are SAFE", () => {
  const heavy = lockedTool({ worst_case_tokens: 7_000, is_bounded: false });
  const drifts = between(heavy, changedTool({ worst_case_tokens: 900 }));
  expect(drifts).toEqual(["SAFE became_bounded"]);
  const lighter = between(lockedTool({ worst_case_tokens: 7_000 }), changedTool({}));
  expect(lighter).toEqual(["SAFE risk_fell"]);
});

test("compareTools does not compare the assumed sizes of two unbounded answers", () => {
  const light = lockedTool({ worst_case_tokens: 900, is_bounded: false });
  const drifts = between(light, changedTool({ worst_case_tokens: 9_000, is_bounded: false }));
  expect(drifts).toEqual([]);
});

test("compareTools: the same hash is no drift, whatever else the lock says", () => {
  expect(between(lockedTool(), lockedTool({ worst_case_tokens: 99_999 }))).toEqual([]);
});

test("compareTools writes one token in the singular and thousands with a comma", () => {
  const [small, large] = [lockedTool({ worst_case_tokens: 1 }), { worst_case_tokens: 40_000 }];
  const drifts = compareTools(small, changedTool(large), riskThresholdsDefault);
  expect(drifts[0]).toMatchObject({ before: "low (1 token)", after: "critical (40,000 tokens)" });
});

test("compareTools reports something for every change of a definition", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 5 }), (a, b) => {
      const [before, after] = [
        { name: "tool", inputSchema: a },
        { name: "tool", inputSchema: b },
      ];
      fc.pre(canonicalizeJson(before) !== canonicalizeJson(after));
      const drifts = between(
        lockedTool({ definition: before, sha256: sha256(canonicalizeJson(before)) }),
        lockedTool({ definition: after, sha256: sha256(canonicalizeJson(after)) }),
      );
      expect(drifts.length).toBeGreaterThan(0);
    }),
  );
});
