import { expect, test } from "bun:test";
import {
  telemetryListedToolsMax,
  telemetryToolsMax,
  ToolNames,
} from "#history/telemetry/session-metrics.ts";
import { otherName, telemetryNameCharactersMax } from "#history/telemetry/metric-definitions.ts";

test("without a list each tool is labeled by its name, up to the limit", () => {
  const names = new ToolNames();
  const labels = Array.from({ length: telemetryToolsMax + 1 }, (_, at) =>
    names.findLabel(`t${at}`),
  );
  expect(labels.slice(-2)).toEqual([`t${telemetryToolsMax - 1}`, otherName]);
  expect(names.findLabel("t0")).toBe("t0");
});

test("with a list only its tools have labels, and a tool that had one before keeps it", () => {
  const names = new ToolNames();
  names.findLabel("early");
  names.addListed(["search"]);
  expect(["early", "search", "invented"].map((name) => names.findLabel(name))).toEqual([
    "early",
    "search",
    otherName,
  ]);
  names.addListed(["other"]);
  names.addListed([]);
  expect(["search", "other"].map((name) => names.findLabel(name))).toEqual(["search", "other"]);
});

test("a server that lists ever new tools is remembered by its newest list", () => {
  const names = new ToolNames();
  names.addListed(["first"]);
  names.addListed(Array.from({ length: telemetryListedToolsMax - 1 }, (_, at) => `t${at}`));
  expect(names.findLabel("first")).toBe("first");
  names.addListed(["newest"]);
  expect(["t0", "newest"].map((name) => names.findLabel(name))).toEqual([otherName, "newest"]);
});

test("a hostile name is escaped and short", () => {
  const names = new ToolNames();
  expect(names.findLabel("a\u202eb\nc")).toBe("a\\u202eb\\u000ac");
  expect(names.findLabel("__proto__")).toBe("__proto__");
  expect(names.findLabel("")).toBe('""');
  expect(names.findLabel("x".repeat(10_000))).toHaveLength(telemetryNameCharactersMax);
});
