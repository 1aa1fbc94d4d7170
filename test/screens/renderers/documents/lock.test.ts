import { expect, test } from "bun:test";
import type { LockReport } from "#lock/lock-report.ts";
import { buildLockDocument, buildLockSections } from "#screens/renderers/documents/lock.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";

const drift = {
  severity: "BREAKING",
  kind: "input_removed",
  tool: "search",
  what: "parameter filter.since removed",
  before: "required string",
  after: null,
} as const;
const report: LockReport = {
  schema_version: "1.0",
  server: { name: "s", version: null },
  lock_file: "mcp-meter.lock",
  lock_version: "2.3",
  lock_written: false,
  estimator: "o200k",
  failed: true,
  fail_on: "risky",
  severity: "BREAKING",
  total_tokens: { before: 100, after: 1_250 },
  tools: { before: 1, after: 2 },
  costs: [],
  drifts: [drift, { ...drift, severity: "RISKY", tool: null }, { ...drift, severity: "SAFE" }],
  diffs: [],
  over_limit: [
    { limit: "max_tool", tool: "search", tokens: 900, allowed: 800 },
    { limit: "max_total", tool: null, tokens: 1_250, allowed: 1_000 },
  ],
};
const print = (changes: Partial<LockReport>, color = false): string =>
  renderTerminal(buildLockDocument({ ...report, ...changes }), { color });

test("lockDocument lists drifts and exceeded limits, then the verdict", () => {
  expect(print({})).toMatchInlineSnapshot(`
    "s

    severity  tool      drift                           before           after
    BREAKING  search    parameter filter.since removed  required string
    RISKY     (server)  parameter filter.since removed  required string
    SAFE      search    parameter filter.since removed  required string

    over --max-tool   the definition of search: 900 tokens, limit 800
    over --max-total  all definitions: 1,250 tokens, limit 1,000
    definitions       2 tools, 1,250 tokens, 1,150 more than in the lock
    lock              mcp-meter.lock, tokens counted by o200k
    verdict           failed: worst drift is BREAKING (--fail-on risky), and a limit is exceeded
    "
  `);
});

test("lockDocument colors what breaks and what is risky", () => {
  expect(print({}, true)).toContain("\u001b[1;31mBREAKING\u001b[0m");
  expect(print({}, true)).toContain("\u001b[31mRISKY\u001b[0m");
});

test("lockDocument is a title and lockSections, which count what they leave out", () => {
  expect(buildLockDocument(report)).toEqual({
    title: { name: "s" },
    sections: buildLockSections(report, "verdict"),
  });
  const drifts = Array.from({ length: 120 }, (_, at) => ({ ...drift, what: `${at}` }));
  expect(print({ drifts })).toContain("20 more drifts; use --format json to list all");
});

test("lockDocument clips long differences and values", () => {
  const long = "x".repeat(1_000);
  const row = print({ drifts: [{ ...drift, what: long, before: long }] })
    .split("\n")
    .find((line) => line.startsWith("BREAKING"));
  expect(row).toMatch(/ x{119}… {2}x{47}…$/);
});

const unchanged = { drifts: [], severity: null, failed: false, over_limit: [] };

test.each([
  [unchanged, "verdict      passed: nothing differs from the lock (--fail-on risky)"],
  [
    { ...unchanged, total_tokens: { before: null, after: 5 } },
    "verdict      passed: nothing to compare with (--fail-on risky)",
  ],
  [{ severity: null }, "verdict           failed: a limit is exceeded"],
  [
    { severity: "RISKY", fail_on: "breaking" } as const,
    "verdict           failed: a limit is exceeded\n",
  ],
  [{ over_limit: [] }, "verdict      failed: worst drift is BREAKING (--fail-on risky)\n"],
  [
    { severity: "SAFE", over_limit: [], failed: false } as const,
    "verdict      passed: worst drift is SAFE (--fail-on risky)\n",
  ],
  [
    { total_tokens: { before: null, after: 5 } },
    "lock              mcp-meter.lock (not compared), tokens counted by o200k",
  ],
  [{ total_tokens: { before: 5, after: 5 } }, "2 tools, 5 tokens, the same as in the lock"],
  [{ total_tokens: { before: 7, after: 5 } }, "2 tools, 5 tokens, 2 fewer than in the lock"],
])("lockDocument with %j: %s", (changes, line) => {
  expect(print(changes)).toContain(line);
});

test.each([
  [{ ...report, lock_written: true, over_limit: [] }, "written to mcp-meter.lock"],
  [report, "not written: a limit is exceeded"],
  [{ ...report, ...unchanged }, "not written: the lock is up to date"],
])("a lock that is being written has a result, not a verdict: %#", (written, line) => {
  const text = renderTerminal(buildLockDocument(written, true), { color: false });
  expect(text).toMatch(new RegExp(`^result +${line}$`, "m"));
  expect(text).not.toContain("verdict");
});
