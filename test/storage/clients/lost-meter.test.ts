import { expect, test } from "bun:test";
import { lostMeter } from "#storage/clients/lost-meter.ts";
import { Folder } from "../../support/folder.ts";

test("a path of mcp-meter without a file is lost; a name and a variable are not known", () => {
  using folder = new Folder();
  const there = folder.file("mcp-meter", "");
  expect(lostMeter(["/missing/mcp-meter", "--", "x"])).toBe("/missing/mcp-meter");
  expect(lostMeter(["C:\\missing\\mcp-meter.exe", "--", "x"])).toBe("C:\\missing\\mcp-meter.exe");
  for (const word of [there, "mcp-meter", "/missing/$X/mcp-meter", "/missing/server"]) {
    expect(lostMeter([word, "--", "x"])).toBeUndefined();
  }
});
