import { expect, test } from "bun:test";
import { diffLocks } from "#lock/drift/lock-diff.ts";
import { changedTool, lockedTool, lockWith } from "../../support/locks.ts";

const definition = { name: "tool", description: "Old", inputSchema: {} };
const changed = changedTool({ definition: { ...definition, description: "New" } });

test("diffLocks shows the definitions that both have, member by member", () => {
  const [diff, ...others] = diffLocks(
    lockWith([lockedTool({ definition }), lockedTool({ name: "removed" })]),
    lockWith([changed, lockedTool({ name: "added" })]),
  );
  expect(others).toEqual([]);
  expect(diff?.tool).toBe("tool");
  const lines = diff?.lines.map(
    ({ sign, parts }) => `${sign}${parts.map(({ text }) => text).join("")}`,
  );
  expect(lines).toEqual(['-"description": "Old"', '+"description": "New"']);
});

const lock = (text: string) => lockWith([], { instructions: { sha256: null, tokens: 1, text } });

test("diffLocks shows changed instructions, and nothing of equal locks", () => {
  expect(diffLocks(lock("Read."), lock("Delete."))).toMatchObject([{ tool: null }]);
  expect(diffLocks(lock("Read."), lock("Read."))).toEqual([]);
});

test("diffLocks leaves out tools without definitions, and names that stand for several tools", () => {
  const { definition: _, ...old } = lockedTool();
  expect(diffLocks(lockWith([old], { lock_version: "1.0" }), lockWith([changed]))).toEqual([]);
  const twice = lockWith([changed, changed]);
  expect(diffLocks(lockWith([lockedTool({ definition })]), twice)).toEqual([]);
});
