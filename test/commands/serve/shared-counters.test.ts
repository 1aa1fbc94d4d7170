import { expect, test } from "bun:test";
import { SharedCounters } from "#commands/serve/command.ts";
import { Folder } from "../../support/folder.ts";

const counter = { key: "all", per: "day", limit: 10 } as const;
const noon = Date.UTC(2026, 8, 1, 12);

function counters(folder: string | undefined) {
  const log: string[] = [];
  const all = new SharedCounters((sentence) => void log.push(`told ${sentence}`));
  const open = (name: string, isShared = true) =>
    all.open(
      { isShared, folder, holder: name, policy: "local", redis: undefined },
      (sentence) => void log.push(`${name} ${sentence}`),
    );
  return { log, all, open };
}

test("conversations share counters that outlive them, and have those of a session to themselves", async () => {
  using folder = new Folder();
  const { open, all } = counters(folder.path);
  const [one, other] = [await open("one"), await open("other")];
  expect(one.shared).toBe(other.shared);
  expect(one.session).not.toBe(other.session);
  expect(one.shared.hold(counter, 8, noon, false)).toBeDefined();
  expect(other.shared.hold(counter, 8, noon, false)).toBeUndefined();
  await one.close();
  expect(other.shared.standing(counter, noon).taken).toBe(8);
  await other.close();
  await all.close();
  const next = await counters(folder.path).open("next");
  expect(next.shared.standing(counter, noon).taken).toBe(0);
  await next.close();
});

test("budgets of a session alone share nothing", async () => {
  const { open, all } = counters(undefined);
  const [one, other] = [await open("one", false), await open("other", false)];
  expect(one.shared).not.toBe(other.shared);
  await all.close();
});

test("a failure is reported once, by a conversation that is open, and told where there is none", async () => {
  const { open, log, all } = counters(undefined);
  const one = await open("one");
  const other = await open("other");
  expect(log).toHaveLength(1);
  expect(log[0]).toStartWith("one ");
  await one.close();
  await other.close();
  await all.close();
});
