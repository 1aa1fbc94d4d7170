import { expect, test } from "bun:test";
import {
  noteName,
  omittedLine,
  riskCell,
  separated,
  serverTitle,
  toolLabel,
  toolList,
} from "#renderers/documents/parts.ts";
import { terminalText } from "#renderers/terminal-text.ts";

test.each([
  [{ name: "memory", version: "1.2" }, "memory 1.2"],
  [{ name: "memory", version: null }, "memory"],
  [{ name: null, version: null }, "server"],
])("serverTitle of %j is %s", (server, title) => {
  expect(serverTitle(server)).toEqual({ name: title });
});

test("omittedLine counts what was cut, and is absent when nothing was", () => {
  expect(omittedLine(100, 100, "drift")).toEqual([]);
  expect(omittedLine(101, 100, "drift")).toEqual([
    { kind: "line", text: "1 more drift; use --format json to list all" },
  ]);
});

test("toolList names eight tools and counts the others", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  expect(terminalText(toolList(["a"]))).toBe("1 tool: a");
  expect(terminalText(toolList(names))).toBe("8 tools: a, b, c, d, e, f, g, h");
  expect(terminalText(toolList([...names, "i"]))).toBe(
    "9 tools: a, b, c, d, e, f, g, h, and 1 more",
  );
});

test("separated puts commas between texts", () => {
  expect(separated([])).toEqual([]);
  expect(separated([["a"], ["b", "c"]])).toEqual(["a", ", ", "b", "c"]);
});

test("noteName has more room than a cell", () => {
  expect(terminalText(noteName("x".repeat(100)))).toHaveLength(60);
});

test("riskCell has a color from medium on", () => {
  expect([riskCell("low"), riskCell("medium"), riskCell("high"), riskCell("critical")]).toEqual([
    "low",
    { text: "medium", tone: "caution" },
    { text: "high", tone: "bad" },
    { text: "critical", tone: "worst" },
  ]);
});

test("toolLabel has the server where there are several", () => {
  expect(toolLabel("search", "garden", ["garden"])).toBe("search");
  expect(toolLabel("search", "garden", ["garden", "shed"])).toBe("garden · search");
});
