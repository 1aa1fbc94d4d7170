import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { rejectUnwritableFiles } from "#commands/output/output-options.ts";
import { rejectOverwrites, type CheckInputs } from "#commands/reject-overwrites.ts";
import { parseCheckOutput } from "#commands/check-output-options.ts";
import { Folder, thrownBy } from "../support/folder.ts";

const nothing = "(nothing was thrown)";
const inputs: CheckInputs = {
  lockFile: "k.lock",
  callsFile: "calls.yaml",
  base: { name: "./base.lock", isFile: true },
};
const filesIn = (specs: readonly string[]): string[] =>
  parseCheckOutput({ format: specs }).reports.flatMap(({ file }) => file ?? []);
const refusal = (specs: readonly string[], checkInputs: CheckInputs = inputs): string =>
  thrownBy(() => rejectOverwrites(filesIn(specs), checkInputs));

test.each([
  ["json=k.lock", "lock"],
  ["json=./k.lock", "lock"],
  ["junit=x/../calls.yaml", "calls file"],
  ["sarif=base.lock", "base"],
])("rejectOverwrites refuses %s over the %s", (spec, kind) => {
  const file = spec.slice(spec.indexOf("=") + 1);
  expect(refusal(["table", spec])).toBe(
    `Cannot write a report to "${file}": it is the ${kind}, which the report would overwrite; name another file`,
  );
});

test("rejectOverwrites refuses two reports to one file, by two spellings and by a link", () => {
  expect(refusal(["json=a.out", "junit=./a.out"])).toBe(
    'Cannot write two reports to one file: "./a.out" is the same file as "a.out"',
  );
  using folder = new Folder();
  const file = folder.file("a.out", "");
  symlinkSync("a.out", folder.at("b.out"));
  expect(refusal([`json=${file}`, `junit=${folder.at("b.out")}`])).toContain("two reports");
});

test("rejectOverwrites accepts other files, and a revision named like a file", () => {
  expect(refusal(["table", "json=a.out", "junit=b.out"])).toBe(nothing);
  const base = { name: "main", isFile: false };
  expect(refusal(["json=main"], { ...inputs, callsFile: null, base })).toBe(nothing);
});

test("rejectUnwritableFiles refuses a report that cannot be written, and no other", () => {
  using folder = new Folder();
  const reasons = [folder.at("none/x.json"), folder.path, "/dev/full"].map((file) =>
    thrownBy(() => rejectUnwritableFiles([file])).replace(file, "FILE"),
  );
  expect(reasons).toEqual([
    'Cannot write "FILE": no such file or directory',
    'Cannot write "FILE": it is a directory',
    'Cannot write "FILE": it is a device, not a regular file',
  ]);
  expect(() => {
    rejectUnwritableFiles(filesIn(["table", `json=${folder.at("x.json")}`, "sarif=x.sarif"]));
  }).not.toThrow();
});
