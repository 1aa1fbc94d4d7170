import { expect, test } from "bun:test";
import { chmodSync, symlinkSync } from "node:fs";
import { frontWords, ownCommand } from "#commands/wrap/own-command.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

test("the path on the PATH is written where it leads to this program", () => {
  using folder = new Folder();
  const own = folder.file("mcp-meter-1.0", "");
  chmodSync(own, 0o755);
  symlinkSync(own, folder.at("mcp-meter"));
  expect(ownCommand(folder.path, own)).toBe(folder.at("mcp-meter"));
  expect(ownCommand(folder.path, "/opt/mcp-meter")).toBe("/opt/mcp-meter");
  expect(ownCommand(undefined, "C:\\bin\\mcp-meter.exe")).toBe("C:\\bin\\mcp-meter.exe");
});

test("a program that entries could not be recognised by, or that will not last, is refused", () => {
  expect(thrownBy(() => ownCommand(undefined, "/usr/bin/bun"))).toContain(
    "must be named mcp-meter",
  );
  const cached = "/h/.npm/_npx/0a/node_modules/mcp-meter/mcp-meter";
  expect(thrownBy(() => ownCommand(undefined, cached))).toContain("install mcp-meter first");
});

test("the front has the name, the exit code and the options of the user", () => {
  expect(frontWords("/m", "a b", ["--annotate"])).toEqual([
    "/m",
    "--server",
    "a b",
    "--exit-code",
    "child",
    "--annotate",
    "--",
  ]);
  expect(frontWords("/m", "--", ["--exit-code=auto"])).toEqual([
    "/m",
    "--server=--",
    "--exit-code=auto",
    "--",
  ]);
  expect(frontWords("/m", "", ["--exit-code", "auto"])).toEqual([
    "/m",
    "--exit-code",
    "auto",
    "--",
  ]);
});
