import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { WatchedFolders } from "#state/storage/live/session-follower.ts";
import { Folder } from "../../../support/folder.ts";
import { eventually } from "../../../support/wait.ts";

test("WatchedFolders reports changes in its folders, also in one that was made again", async () => {
  using folder = new Folder();
  const [first, second] = [folder.at("one"), folder.at("other")];
  for (const path of [first, second]) mkdirSync(path);
  const seen = new Set<string>();
  const watched = new WatchedFolders((path, name) => seen.add(`${path}/${name ?? ""}`));
  expect(watched.set([first, second])).toEqual([first, second]);
  expect(watched.set([first])).toEqual([]);
  folder.file("other/x", "");
  const path = folder.file("one/a", "");
  await eventually("the first file", () => seen.has(path));
  rmSync(first, { recursive: true });
  mkdirSync(first);
  await eventually("the new folder", () => watched.set([first]).length === 1);
  const later = folder.file("one/b", "");
  await eventually("a file of the new folder", () => seen.has(later));
  expect([...seen].filter((file) => file.startsWith(second))).toEqual([]);
  watched.close();
});

test("a folder that is not there is not watched, and can be later", () => {
  using folder = new Folder();
  const watched = new WatchedFolders(() => undefined);
  const path = folder.at("later");
  expect(watched.set([path])).toEqual([path]);
  mkdirSync(path);
  expect(watched.set([path])).toEqual([path]);
  expect(watched.set([path])).toEqual([]);
  expect(watched.hasFailed).toBe(false);
  watched.close();
});
