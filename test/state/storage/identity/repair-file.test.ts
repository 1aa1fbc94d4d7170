import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { locateDamaged, repairFile } from "#state/storage/identity/machine-id.ts";
import { Folder } from "../../../support/folder.ts";

function repair(folder: Folder, isWhole: boolean): void {
  const make = (): string => {
    writeFileSync(folder.at("own"), "new");
    return folder.at("own");
  };
  repairFile(folder.at("a"), { isWhole: () => isWhole, make });
}

test("a damaged file is replaced, and kept under another name, the newest one alone", () => {
  using folder = new Folder();
  for (const text of ["first", "second"]) {
    folder.file("a", text);
    repair(folder, false);
    expect(readFileSync(folder.at("a"), "utf8")).toBe("new");
    expect(readFileSync(locateDamaged(folder.at("a")), "utf8")).toBe(text);
  }
  expect(readdirSync(folder.path).toSorted()).toEqual(["a", "a.damaged"]);
});

test("one that another process repaired meanwhile stays", () => {
  using folder = new Folder();
  folder.file("a", "whole");
  repair(folder, true);
  expect(readFileSync(folder.at("a"), "utf8")).toBe("whole");
});

test("nothing, a folder and a link stay as they are", () => {
  using folder = new Folder();
  repair(folder, false);
  expect(readdirSync(folder.path)).toEqual([]);
  mkdirSync(folder.at("a"));
  repair(folder, false);
  expect(readdirSync(folder.path)).toEqual(["a"]);
  using second = new Folder();
  symlinkSync(second.file("b", "x"), second.at("a"));
  repair(second, false);
  expect(readFileSync(second.at("b"), "utf8")).toBe("x");
});
