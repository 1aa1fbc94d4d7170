import { describe, expect, test } from "bun:test";
import type { Counter } from "#budgets/counter.ts";
import { countersFile, openCounterStores, openExistingStore } from "#stores/index.ts";
import { existsSync } from "node:fs";
import { Folder, rejectionOf } from "../support/folder.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const counter: Counter = { key: "k", per: "day", limit: 10 };
const quiet = {
  holder: "one",
  policy: "local",
  report: (sentence: string) => expect.unreachable(sentence),
} as const;

describe("openCounterStores", () => {
  test("opens no file unless a budget outlives the session", async () => {
    using folder = new Folder();
    const stores = await openCounterStores({ ...quiet, isShared: false, folder: folder.path });
    expect(stores.shared).toBe(stores.session);
    await stores.close();
    expect(existsSync(folder.at(countersFile))).toBe(false);
  });

  test("two sessions share what outlives them, and nothing else", async () => {
    using folder = new Folder();
    const open = (holder: string) =>
      openCounterStores({ ...quiet, isShared: true, folder: folder.path, holder });
    const [one, other] = [await open("one"), await open("other")];
    one.shared.hold(counter, 8, noon, false);
    one.session.hold(counter, 8, noon, false);
    expect(other.shared.standing(counter, noon).taken).toBe(8);
    expect(other.session.standing(counter, noon).taken).toBe(0);
    await one.close();
    expect(other.shared.standing(counter, noon).taken).toBe(0);
    await other.close();
  });

  test("a store that cannot be opened is told once, and the counters are the session's own", async () => {
    using folder = new Folder();
    folder.file(countersFile, "not a database, and long enough to be one ".repeat(40));
    for (const place of [folder.path, folder.file("file", ""), undefined]) {
      const told: string[] = [];
      const report = (sentence: string): number => told.push(sentence);
      const stores = await openCounterStores({ ...quiet, isShared: true, folder: place, report });
      expect(stores.shared.hold(counter, 8, noon, false)).toBeDefined();
      expect(stores.shared.hold(counter, 3, noon, false)).toBeUndefined();
      await stores.close();
      expect(told).toHaveLength(1);
    }
  });
});

describe("openExistingStore", () => {
  test("is undefined before there is one, and does not make one", async () => {
    using folder = new Folder();
    expect(await openExistingStore(folder.path, "one")).toBeUndefined();
    expect(existsSync(folder.at(countersFile))).toBe(false);
  });

  test("lists what sessions have spent", async () => {
    using folder = new Folder();
    const stores = await openCounterStores({ ...quiet, isShared: true, folder: folder.path });
    stores.shared.hold(counter, 8, noon, false);
    const store = await openExistingStore(folder.path, "two");
    expect(store?.list()).toMatchObject([{ key: "k", held: 8 }]);
    store?.close();
    await stores.close();
  });

  test("rejects with a sentence when the file is not a store", async () => {
    using folder = new Folder();
    folder.file(countersFile, "not a database, and long enough to be one ".repeat(40));
    const opening = openExistingStore(folder.path, "one");
    expect(await rejectionOf(opening)).toMatch(/^UserError: Cannot read ".*counters\.sqlite": /);
  });
});
