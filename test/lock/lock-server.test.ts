import { expect, test } from "bun:test";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { findMiscount, lockServer, recountLock } from "#lock/lock-server.ts";
import { sha256 } from "#os/sha256.ts";
import type { JsonObject } from "#wire/json.ts";
import { countedReader } from "../support/readers.ts";

const terms = { reader: countedReader(), thresholds: riskThresholdsDefault, hash: sha256 };

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
  const one = { name: "t", description: "d", inputSchema: { a: {}, b: {} } };
  const other = { inputSchema: { b: {}, a: {} }, description: "d", name: "t" };
  expect(lockOfTool(other)).toEqual(lockOfTool(one));
  expect(lockOfTool(one)).toMatchObject({ server: { name: "s" }, tools: [{ name: "t" }] });
});

test("recountLock counts the definitions of another estimator's lock again", () => {
  const lock = lockOfTool({ name: "t", description: "d", inputSchema: {} });
  expect(recountLock(lock, "main", terms)).toEqual(lock);
  const foreign = {
    ...lock,
    estimator: "chars3",
    total_tokens: 9_999,
    tools: lock.tools.map((tool) => ({ ...tool, tokens: { ...tool.tokens, total: 9_999 } })),
  };
  expect(recountLock(foreign, "main", terms)).toEqual(lock);
});

test("recountLock refuses a lock of 1.0 of another estimator, which has no definitions", () => {
  const lock = lockOfTool({ name: "t", inputSchema: {} });
  const old = { ...lock, lock_version: "1.0", estimator: "chars3" } as const;
  expect(() => recountLock(old, "main", terms)).toThrow('Cannot compare with the lock "main"');
});

test("recountLock keeps what it does not count: version, prompts, templates and answers", () => {
  const answers = [{ key: "0".repeat(64), tool: "t", tokens: 3 }];
  const lock = { ...lockOfTool({ name: "t", inputSchema: {} }), answers, prompts: [{ name: "p" }] };
  expect(recountLock(lock, "main", terms)).toEqual(lock);
  const { prompts: _prompts, resource_templates: _templates, ...bare } = lock;
  const old = { ...bare, lock_version: "2.0" } as const;
  expect(recountLock(old, "main", terms)).toEqual(old);
});

test("findMiscount: the first tool, or the total, whose tokens are not those of its definition", () => {
  const lock = lockOfTool({ name: "t", description: "d", inputSchema: {} });
  const { total_tokens: total } = lock;
  expect(findMiscount(lock, lock)).toBeUndefined();
  expect(findMiscount({ ...lock, total_tokens: 9_999 }, lock)).toMatchObject({
    what: "the tokens of the lock are not those of its definitions: write it again",
    before: "9,999 tokens",
    after: `${total} tokens`,
  });
  const [tool] = lock.tools;
  if (!tool) throw new Error("no tool");
  const tools = [{ ...tool, tokens: { ...tool.tokens, total: 1 } }];
  expect(findMiscount({ ...lock, tools }, lock)).toMatchObject({
    what: "the tokens of t are not those of its definition: write the lock again",
    before: "1 token",
  });
});
