import { expect, test } from "bun:test";
import { closeSync, existsSync, openSync } from "node:fs";
import { tryExclusiveFlock } from "#kit/os/c-library.ts";
import { runUnderLock } from "#state/storage/clients/replace-settings.ts";
import { Folder } from "../../../support/folder.ts";

test("a change has the state folder alone, and gives it back, also when it fails", () => {
  using folder = new Folder();
  const state = folder.at("state");
  const isFree = (): boolean => {
    const fd = openSync(state, "r");
    const isTaken = tryExclusiveFlock(fd);
    closeSync(fd);
    return isTaken;
  };
  expect(runUnderLock(state, isFree)).toBe(false);
  expect(() =>
    runUnderLock(state, () => {
      throw new Error("failed");
    }),
  ).toThrow("failed");
  expect(isFree()).toBe(true);
});

test("after its wait a change is made all the same, and without a folder too", () => {
  using folder = new Folder();
  const fd = openSync(folder.path, "r");
  expect(tryExclusiveFlock(fd)).toBe(true);
  expect(runUnderLock(folder.path, () => "made", 20)).toBe("made");
  closeSync(fd);
  const file = folder.file("file", "");
  expect(runUnderLock(`${file}/state`, () => "made")).toBe("made");
  expect(existsSync(`${file}/state`)).toBe(false);
});
