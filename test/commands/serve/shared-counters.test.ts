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

test("conversations share counters that outlive them, but not those of a session", async () => {
  using folder = new Folder();
  const { open, all } = counters(folder.path);
  const [first, second] = [await open("one"), await open("other")];
  expect(first.shared).toBe(second.shared);
  expect(first.session).not.toBe(second.session);
  expect(first.shared.hold(counter, 8, noon, false)).toBeDefined();
  expect(second.shared.hold(counter, 8, noon, false)).toBeUndefined();
  await first.close?.();
  expect(second.shared.readStanding(counter, noon).taken).toBe(8);
  await second.close?.();
  await all.close?.();
  const next = await counters(folder.path).open("next");
  expect(next.shared.readStanding(counter, noon).taken).toBe(0);
  await next.close?.();
});

test("budgets per session share nothing", async () => {
  const { open, all } = counters(undefined);
  const [first, second] = [await open("one", false), await open("other", false)];
  expect(first.shared).not.toBe(second.shared);
  await all.close?.();
});

test("a failure is reported once, by a conversation that is open, and told where there is none", async () => {
  const { open, log, all } = counters(undefined);
  const first = await open("one");
  const second = await open("other");
  expect(log).toHaveLength(1);
  expect(log[0]).toStartWith("one ");
  await first.close?.();
  await second.close?.();
  await all.close?.();
});
