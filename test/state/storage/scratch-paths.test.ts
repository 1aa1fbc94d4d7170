import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { makeScratchPaths } from "#state/storage/scratch-paths.ts";
import { Folder } from "../../support/folder.ts";

test("makeScratchPaths: an overflow is in the state folder, made when it is missing, or in the temporary folder", () => {
  using folder = new Folder();
  const { overflow } = makeScratchPaths({ XDG_STATE_HOME: folder.path });
  const path = overflow();
  expect(dirname(path)).toBe(folder.at("mcp-meter"));
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(overflow()).not.toBe(path);
  const below = folder.file("file", "");
  expect(dirname(makeScratchPaths({ XDG_STATE_HOME: below }).overflow())).toBe(tmpdir());
  expect(dirname(makeScratchPaths({}).overflow())).toBe(tmpdir());
});

test("makeScratchPaths: a spool is in a state folder that exists, and makes none", () => {
  using folder = new Folder();
  const { spool, overflow } = makeScratchPaths({ XDG_STATE_HOME: folder.path });
  expect(dirname(spool())).toBe(tmpdir());
  expect(existsSync(folder.at("mcp-meter"))).toBe(false);
  overflow();
  expect(dirname(spool())).toBe(folder.at("mcp-meter"));
  expect(spool()).not.toBe(spool());
  expect(dirname(makeScratchPaths({}).spool())).toBe(tmpdir());
});

test("makeScratchPaths: a spool is in the temporary folder where a file has the name of the state folder", () => {
  using folder = new Folder();
  folder.file("mcp-meter", "");
  expect(dirname(makeScratchPaths({ XDG_STATE_HOME: folder.path }).spool())).toBe(tmpdir());
});

test.if(process.getuid?.() !== 0)(
  "makeScratchPaths: both are in the temporary folder if the state folder is read-only",
  () => {
    using folder = new Folder();
    mkdirSync(folder.at("mcp-meter"), { mode: 0o500 });
    const { overflow, spool } = makeScratchPaths({ XDG_STATE_HOME: folder.path });
    expect([overflow(), spool()].map((path) => dirname(path))).toEqual([tmpdir(), tmpdir()]);
    chmodSync(folder.at("mcp-meter"), 0o700);
  },
);
