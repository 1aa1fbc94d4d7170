import { expect, test } from "bun:test";
import { findMeterWord } from "#clients/configured-entries.ts";

test.each([
  [["mcp-meter", "--", "npx", "server"], "mcp-meter"],
  [["/opt/bin/mcp-meter", "--", "x"], "/opt/bin/mcp-meter"],
  [["C:\\tools\\mcp-meter.exe", "--", "x"], "C:\\tools\\mcp-meter.exe"],
  [["npx", "-y", "mcp-meter", "--", "x"], "mcp-meter"],
  [["npx", "mcp-meter@1.2.3", "--", "x"], "mcp-meter@1.2.3"],
  [["npx.cmd", "mcp-meter"], "mcp-meter"],
  [["bun", "/src/mcp-meter", "--", "x"], "/src/mcp-meter"],
  [["bun", "run", "/src/mcp-meter"], "/src/mcp-meter"],
  [["cmd", "/c", "npx", "mcp-meter", "--", "x"], "mcp-meter"],
  [["npm", "exec", "--", "mcp-meter", "--", "x"], "mcp-meter"],
  [["pnpm", "dlx", "@mcp-meter/mcp-meter", "run", "--", "x"], "@mcp-meter/mcp-meter"],
  [["yarn", "dlx", "-q", "mcp-meter", "--", "x"], "mcp-meter"],
  [["node", "/lib/mcp-meter/bin/mcp-meter.js", "--", "x"], "/lib/mcp-meter/bin/mcp-meter.js"],
  [["C:\\tools\\MCP-Meter.EXE", "--", "x"], "C:\\tools\\MCP-Meter.EXE"],
] as const)("%j is behind mcp-meter", (words, word) => {
  expect(findMeterWord(words)).toBe(word);
});

test.each([
  [[]],
  [[""]],
  [["npx"]],
  [["npx", "-y", "server", "mcp-meter"]],
  [["/opt/mcp-meter/bin/server"]],
  [["mcp-meter-server"]],
  [["sh", "-c", "mcp-meter -- x"]],
  [["cmd", "/c"]],
  [["npx", "@mcp-meter"]],
  [["server", "--", "mcp-meter"]],
  [["npm", "--prefix", "mcp-meter", "start", "--", "x"]],
  [["npm", "run", "mcp-meter"]],
  [["npm"]],
] as const)("%j is not", (words) => {
  expect(findMeterWord(words)).toBeUndefined();
});

test("a command of a million words is read in a moment", () => {
  expect(findMeterWord(Array.from({ length: 1_000_000 }, () => "cmd"))).toBeUndefined();
});
