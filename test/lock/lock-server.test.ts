import { expect, test } from "bun:test";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { deriveLock, lockServer } from "#lock/lock.ts";
import { sha256 } from "#kit/os/hash.ts";
import type { JsonObject } from "#wire/json.ts";
import { makeCountingReader } from "../support/readers.ts";

const terms = { reader: makeCountingReader(), thresholds: riskThresholdsDefault, hash: sha256 };

function lockOfTool(tool: JsonObject) {
  const listing = {
    server: { name: "s", version: "1", protocol_version: null, era: null },
    instructions: "Do.",
    tools: [tool],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  return lockServer(listing, terms);
}

test("lockServer is the same whatever the order of a server's keys", () => {
  const tool = { name: "t", description: "d", inputSchema: { a: {}, b: {} } };
  const reordered = { inputSchema: { b: {}, a: {} }, description: "d", name: "t" };
  expect(lockOfTool(reordered)).toEqual(lockOfTool(tool));
  expect(lockOfTool(tool)).toMatchObject({ server: { name: "s" }, tools: [{ name: "t" }] });
});

test("deriveLock counts the definitions of another estimator's lock again", () => {
  const lock = lockOfTool({ name: "t", description: "d", inputSchema: {} });
  expect(deriveLock(lock, terms)).toEqual(lock);
  const foreign = {
    ...lock,
    estimator: "chars3",
    total_tokens: 9_999,
    tools: lock.tools.map((tool) => ({ ...tool, tokens: { ...tool.tokens, total: 9_999 } })),
  };
  expect(deriveLock(foreign, terms)).toEqual(lock);
});

test("deriveLock keeps server and answers", () => {
  const answers = [{ key: "0".repeat(64), tool: "t", tokens: 3 }];
  const lock = { ...lockOfTool({ name: "t", inputSchema: {} }), answers, prompts: [{ name: "p" }] };
  expect(deriveLock(lock, terms)).toEqual(lock);
});

test("deriveLock judges risks by the thresholds of the lock", () => {
  const lock = lockOfTool({ name: "t", inputSchema: {} });
  const otherThresholds = { ...lock, risk_thresholds: [1, 2, 3] } as const;
  expect(deriveLock(otherThresholds, terms)).toMatchObject({
    risk_thresholds: [1, 2, 3],
    tools: [{ risk: "critical" }],
  });
});
