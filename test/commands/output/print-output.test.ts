import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { outputPage, printOutput, rejectMissingFolder } from "#commands/output/print-output.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

const terminal = { isTerminal: true, columns: 80 };

const page = (output: string | undefined, isWide: boolean, isTerminal = true) =>
  outputPage({ output, isWide }, fakeIo({ stdout: { ...terminal, isTerminal } }).io);

const make = ({ columns }: { readonly columns?: number | undefined }) => `${columns}\n`;

test("outputPage: a terminal has colors and a width, which --wide takes away; others have neither", () => {
  expect(page(undefined, false)).toEqual({ color: true, columns: 80 });
  expect(page(undefined, true)).toEqual({ color: true, columns: undefined });
  expect(page(undefined, false, false)).toEqual({ color: false, columns: undefined });
  expect(page("file", false)).toEqual({ color: false });
});

test("printOutput writes to stdout or to the file", () => {
  using folder = new Folder();
  const { io, stdout } = fakeIo({ stdout: terminal });
  printOutput(make, { output: undefined, isWide: false }, io);
  const file = folder.at("out");
  printOutput(make, { output: file, isWide: false }, io);
  expect([stdout(), readFileSync(file, "utf8")]).toEqual(["80\n", "undefined\n"]);
  const missing = folder.at("no", "out");
  expect(thrownBy(() => printOutput(make, { output: missing, isWide: false }, io))).toBe(
    `Cannot write "${missing}": no such file or directory`,
  );
});

test("rejectMissingFolder refuses a file without a folder, before it is written", () => {
  using folder = new Folder();
  const missing = folder.at("no", "out");
  expect(thrownBy(() => rejectMissingFolder({ output: missing }))).toBe(
    `Cannot write "${missing}": no such file or directory`,
  );
  rejectMissingFolder({ output: folder.at("out") });
  rejectMissingFolder({ output: undefined });
});
