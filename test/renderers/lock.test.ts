import { expect, test } from "bun:test";
import type { LockReport } from "#lock/lock-report.ts";
import { lockDocument, lockSections, renderLock } from "#renderers/lock.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";

const hostile = "h\u001b[2J|`<b>\u202e";
const drift = {
  severity: "BREAKING",
  kind: "parameter_removed",
  tool: hostile,
  what: `parameter ${hostile}`,
  before: "accepted",
  after: null,
} as const;
const report: LockReport = {
  schema_version: "1.0",
  server: { name: "s", version: null },
  lock_file: "mcp-meter.lock",
  lock_written: false,
  estimator: "o200k",
  failed: true,
  fail_on: "risky",
  severity: "BREAKING",
  total_tokens: { before: 100, after: 1_250 },
  tools: { before: 1, after: 2 },
  drifts: [drift],
  over_limit: [{ limit: "max_tool", tool: hostile, tokens: 900, allowed: 800 }],
};

test("renderLock as a table says what drifted, what is over and what follows", () => {
  const text = renderLock("table", report, { color: false });
  expect(text).toContain("BREAKING");
  expect(text).toContain("900 tokens, 800 are allowed");
  expect(text).toContain("2 tools, 1,250 tokens, 1,150 more since the lock");
  expect(text).toContain("failed: the worst drift is BREAKING, --fail-on risky");
});

test("renderLock is safe in every format, and JSON is the report", () => {
  for (const format of ["table", "markdown", "json"] as const) {
    const text = renderLock(format, report, { color: false }).replaceAll("\n", "");
    expect(escapeUnsafe(text)).toBe(text);
  }
  expect(JSON.parse(renderLock("json", report, { color: false }))).toEqual(report);
  const markdown = renderLock("markdown", report, { color: false });
  expect(markdown.replaceAll(/`[^`]*`/g, "")).not.toContain("<b>");
});

test("lockDocument is a title and lockSections, which sum up what does not fit", () => {
  expect(lockDocument(report)).toEqual({ title: { name: "s" }, sections: lockSections(report) });
  const many = { ...report, drifts: Array.from({ length: 120 }, () => drift) };
  expect(renderLock("table", many, { color: false })).toContain("20 more drifts");
  const none = { ...report, drifts: [], severity: null, failed: false, over_limit: [] };
  expect(renderLock("table", none, { color: false })).toContain("passed: nothing has changed");
});

test.each([
  [{ lock_written: true }, "written to mcp-meter.lock"],
  [{ total_tokens: { before: null, after: 5 } }, "none at mcp-meter.lock"],
  [{}, "mcp-meter.lock, counted by o200k"],
])("renderLock with %j says where the lock is: %s", (changes, says) => {
  expect(renderLock("table", { ...report, ...changes }, { color: false })).toContain(says);
});
