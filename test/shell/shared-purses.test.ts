import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import type { Purse } from "#meter/purse.ts";
import { purseFile, SharedPurses } from "#shell/shared-purses.ts";
import { Folder } from "../support/folder.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const purse: Purse = { key: "k", per: "day", limit: 10 };

test("two meters of one folder share their purses", () => {
  using folder = new Folder();
  const open = (holder: string) =>
    new SharedPurses(folder.at("state"), holder, () => expect.unreachable());
  const [one, other] = [open("one"), open("other")];
  one.hold(purse, 8, noon, false);
  expect(other.hold(purse, 3, noon, false)).toBeUndefined();
  expect(statSync(folder.at("state")).mode & 0o777).toBe(0o700);
  one.close();
  expect(other.hold(purse, 3, noon, false)).toBeDefined();
  other.close();
});

test("a store that cannot be opened is told once, and the purse is the session's own", () => {
  using folder = new Folder();
  folder.file(purseFile, "this is no database, and long enough to be taken for one ".repeat(40));
  const told: string[] = [];
  for (const state of [folder.path, folder.file("file", ""), undefined]) {
    const purses = new SharedPurses(state, "one", (sentence) => told.push(sentence));
    expect(purses.hold(purse, 8, noon, false)).toBeDefined();
    expect(purses.hold(purse, 3, noon, false)).toBeUndefined();
    expect(purses.taken(purse, noon)).toBe(8);
    purses.close();
  }
  expect(told).toHaveLength(3);
});

test("a store that fails in the middle leaves a purse that is still a ceiling", () => {
  using folder = new Folder();
  const told: string[] = [];
  const purses = new SharedPurses(folder.path, "one", (sentence) => told.push(sentence));
  const hold = purses.hold(purse, 8, noon, false);
  if (!hold) throw new Error("there is room for it");
  // What is closed fails as a full disk does.
  purses.close();
  expect(purses.resize(hold, 9, noon, false)).toBe(true);
  expect(purses.hold(purse, 2, noon, false)).toBeUndefined();
  purses.settle(hold, 9);
  expect([purses.taken(purse, noon), told.length]).toEqual([9, 1]);
});
