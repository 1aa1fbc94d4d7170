import { expect, test } from "bun:test";
import { buildPruneDocument, type PruneReport } from "#screens/renderers/documents/prune.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import { listedRowsMax } from "#screens/renderers/documents/shared-texts.ts";

const file = {
  file: "/s/a.ndjson",
  kind: "records",
  bytes: 1_500,
  changed_at: "2026-01-02T03:04:05.000Z",
  reason: "age",
} as const;

const report: PruneReport = {
  schema_version: "1.0",
  is_dry_run: true,
  files: [file],
  bytes: 1_500,
  failed: 0,
  live: 0,
  foreign: 0,
  kept_bytes: 0,
  totals: "/s/day-totals.json",
};

const print = (overrides: Partial<PruneReport>): string =>
  renderTerminal(buildPruneDocument({ ...report, ...overrides }), { color: false });

test("a dry run says what it would remove and how", () => {
  const text = print({});
  expect(text).toStartWith("Would remove 1 file, 1.5 kB\n");
  expect(text).toContain("2026-01-02 03:04 UTC  1.5 kB  age     /s/a.ndjson");
  expect(text).toContain("nothing was removed; pass --yes");
});

test("a removal names its totals, running sessions and failures", () => {
  const text = print({ is_dry_run: false, live: 2, failed: 1 });
  expect(text).toStartWith("Removed 1 file, 1.5 kB\n");
  expect(text).toContain("in use  2 sessions not touched: running, or ended less than an hour ago");
  expect(text).toContain("failed  1 file could not be removed");
  expect(text).toContain("daily totals are kept in /s/day-totals.json");
  expect(text).not.toContain("--yes");
});

test("nothing to remove, and too many rows", () => {
  expect(print({ files: [], bytes: 0 })).toBe("Nothing to remove\n");
  expect(print({ files: [], bytes: 0, failed: 3 })).toStartWith("Removed nothing\n");
  expect(print({ files: [], bytes: 0, foreign: 2, kept_bytes: 5 })).toBe(
    "Nothing to remove\n\nkept        5 B\nleft alone  2 files not written by mcp-meter: unknown name, other owner, or a link\n",
  );
  const files = Array.from({ length: listedRowsMax + 2 }, () => file);
  expect(print({ files })).toContain("2 more files; use --format json to list all");
});

test("hostile names are made safe", () => {
  expect(print({ files: [{ ...file, file: "\u001b[2J\n" }] })).not.toContain("\u001b");
});
