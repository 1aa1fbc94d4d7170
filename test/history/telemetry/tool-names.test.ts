import { expect, test } from "bun:test";
import {
  telemetryListedMax,
  telemetryToolsMax,
  otherName,
  ToolNames,
} from "#history/telemetry/instruments.ts";
import { telemetryNameCharactersMax } from "#kit/limits.ts";

test("without a list each tool has its name, up to the limit", () => {
  const names = new ToolNames();
  const labels = Array.from({ length: telemetryToolsMax + 1 }, (_, at) => names.labelOf(`t${at}`));
  expect(labels.slice(-2)).toEqual([`t${telemetryToolsMax - 1}`, otherName]);
  expect(names.labelOf("t0")).toBe("t0");
});

test("with a list only its tools have one, and a tool that had one before keeps it", () => {
  const names = new ToolNames();
  names.labelOf("early");
  names.list(["search"]);
  expect(["early", "search", "invented"].map((name) => names.labelOf(name))).toEqual([
    "early",
    "search",
    otherName,
  ]);
  names.list(["other"]);
  names.list([]);
  expect(["search", "other"].map((name) => names.labelOf(name))).toEqual(["search", "other"]);
});

test("a server that lists ever new tools is remembered by its newest list", () => {
  const names = new ToolNames();
  names.list(["first"]);
  names.list(Array.from({ length: telemetryListedMax - 1 }, (_, at) => `t${at}`));
  expect(names.labelOf("first")).toBe("first");
  names.list(["newest"]);
  expect(["t0", "newest"].map((name) => names.labelOf(name))).toEqual([otherName, "newest"]);
});

test("a hostile name is escaped and short", () => {
  const names = new ToolNames();
  expect(names.labelOf("a\u202eb\nc")).toBe("a\\u202eb\\u000ac");
  expect(names.labelOf("__proto__")).toBe("__proto__");
  expect(names.labelOf("")).toBe('""');
  expect(names.labelOf("x".repeat(10_000))).toHaveLength(telemetryNameCharactersMax);
});
