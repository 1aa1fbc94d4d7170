import { expect, test } from "bun:test";
import { readFileSync, symlinkSync } from "node:fs";
import { makeFileWriter } from "#kit/os/write-file.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

test("a file begins empty and grows by each text", async () => {
  using folder = new Folder();
  const file = folder.file("f", "old");
  const writer = makeFileWriter(file);
  expect([writer.isTerminal, await writer.measureColumns()]).toEqual([false, undefined]);
  writer.write("one\n");
  writer.write("two\n");
  expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
});

test("a file that cannot be written is a sentence", () => {
  using folder = new Folder();
  symlinkSync("/etc/passwd", folder.at("link"));
  for (const [file, reason] of [
    [folder.path, "it is a directory"],
    [folder.at("link"), "it is a symbolic link"],
    [folder.at("no", "file"), "no such file or directory"],
    ["/dev/full", "it is a device, not a regular file"],
  ] as const) {
    expect(thrownBy(() => makeFileWriter(file))).toBe(`Cannot write "${file}": ${reason}`);
  }
});
