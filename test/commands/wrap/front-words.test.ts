import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildFrontWords } from "#commands/wrap/change-entry-options.ts";
import { findMeterCommand } from "#commands/wrap/command.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

test("the path on the PATH is used if it leads to this program", () => {
  using folder = new Folder();
  const executable = folder.file("mcp-meter-1.0", "");
  chmodSync(executable, 0o755);
  symlinkSync(executable, folder.at("mcp-meter"));
  expect(findMeterCommand(folder.path, executable)).toBe(folder.at("mcp-meter"));
  expect(findMeterCommand(folder.path, "/opt/mcp-meter")).toBe("/opt/mcp-meter");
  expect(findMeterCommand(undefined, "C:\\bin\\mcp-meter.exe")).toBe("C:\\bin\\mcp-meter.exe");
});

test("a program that could not be recognized in entries, or will not last, is refused", () => {
  expect(thrownBy(() => findMeterCommand(undefined, "/usr/bin/bun"))).toContain(
    "must be named mcp-meter",
  );
  for (const cache of [
    "/h/.npm/_npx/0a",
    "/tmp/bunx-0-x",
    "/h/.cache/pnpm/dlx/0a",
    "/tmp/dlx-17",
  ]) {
    const cached = `${cache}/node_modules/mcp-meter/mcp-meter`;
    expect(thrownBy(() => findMeterCommand(undefined, cached))).toContain(
      "install mcp-meter first",
    );
  }
  expect(findMeterCommand(undefined, "/opt/dlx/mcp-meter")).toBe("/opt/dlx/mcp-meter");
});

test("for a versioned pnpm path, the link without the version is used", () => {
  using folder = new Folder();
  const names = ["node_modules", "@mcp-meter", "mcp-meter-linux-x64"];
  const versioned = folder.at(".pnpm", "@mcp-meter+mcp-meter-linux-x64@1.0.0", ...names);
  const link = folder.at(".pnpm", ...names);
  mkdirSync(versioned, { recursive: true });
  const executable = join(versioned, "mcp-meter");
  writeFileSync(executable, "");
  expect(findMeterCommand(undefined, executable)).toBe(executable);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(versioned, link);
  expect(findMeterCommand(undefined, executable)).toBe(join(link, "mcp-meter"));
});

test("the words in front contain the name, the exit code and the user's options", () => {
  expect(buildFrontWords("/m", "a b", ["--annotate"])).toEqual([
    "/m",
    "--server",
    "a b",
    "--exit-code",
    "child",
    "--annotate",
    "--",
  ]);
  expect(buildFrontWords("/m", "--", ["--exit-code=auto"])).toEqual([
    "/m",
    "--server=--",
    "--exit-code=auto",
    "--",
  ]);
  expect(buildFrontWords("/m", "", ["--exit-code", "auto"])).toEqual([
    "/m",
    "--exit-code",
    "auto",
    "--",
  ]);
});
