import { expect, test } from "bun:test";
import { readCheckedFile } from "#storage/checked-file.ts";
import type { Validator } from "#text/validation.ts";
import { Folder } from "../support/folder.ts";

const isNumber: Validator<number> = Object.assign(
  (value: unknown): value is number => typeof value === "number",
  {
    errors: [
      {
        instancePath: "",
        keyword: "type",
        params: {},
        parentSchema: { type: "number" },
        data: "x",
      },
    ],
  },
);

test("a value that fits, with comments around it", () => {
  using folder = new Folder();
  expect(readCheckedFile(folder.file("a", "// seven\n7"), isNumber)).toEqual({ value: 7 });
});

test.each([
  ["[", "line 1: "],
  ["\n\n?", "line 3: "],
  ['"x"', "must be a number"],
])("%p: the fault names its place", (text, fault) => {
  using folder = new Folder();
  const read = readCheckedFile(folder.file("a", text), isNumber);
  expect("fault" in read && read.fault).toContain(fault);
});

test("a file that is missing", () => {
  expect(readCheckedFile("/nowhere/a", isNumber)).toEqual({ fault: "ENOENT" });
});
