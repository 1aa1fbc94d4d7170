import { expect, test } from "bun:test";
import { judgeLock } from "#lock/lock-report.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import { baseDrifts, baseNote, baseSections, growthText } from "#renderers/documents/base.ts";
import { renderTerminal } from "#renderers/terminal.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";

const tool = (description: string, total: number) => ({
  ...lockedDefinition({ name: "search", description, inputSchema: { type: "object" } }),
  tokens: { total, name: 1, description: 9, schema: 40, wire_only: 0 },
});
const old = lockWith([tool("Search", 50)]);
const now = lockWith([tool("Search all", 60)]);
const terms = {
  lockFile: "mcp-meter.lock",
  limits: {},
  failOn: "risky",
  thresholds: riskThresholdsDefault,
} as const;
const compared = (locked: Lock, base: Lock | undefined) =>
  judgeLock(locked, now, { ...terms, base: { name: "origin/main", lock: base } });

test("baseSections are the costs, the drifts and the diffs since the base, and a note", () => {
  const sections = baseSections(compared(now, old));
  expect(renderTerminal({ title: "t", sections }, { color: false })).toMatchInlineSnapshot(`
    "t

    Compared with origin/main:

    tool             before  after      change
    search               50     60  +10 (+20%)
    all definitions      50     60  +10 (+20%)

    severity  tool      drift                          before     after
    RISKY     (server)  definitions grew by 10 tokens  50 tokens  60 tokens
    RISKY     search    description changed            Search     Search all

    search
    - "description": "Search"
    + "description": "Search all"

    base  origin/main: 1 definition changed, 10 tokens more
    "
  `);
});

test("baseSections do not repeat the drifts of a lock that is the base's", () => {
  expect(baseDrifts(compared(now, old))).toHaveLength(1);
  expect(baseDrifts(compared(old, old))).toEqual([]);
  expect(baseSections(judgeLock(old, now, terms))).toEqual([]);
});

test("baseNote says that a lock is new, and that nothing has changed", () => {
  const note = (base: Lock | undefined) => {
    const { base: report } = compared(now, base);
    if (!report) throw new Error("no base");
    return baseNote(report).text;
  };
  const name = { name: "origin/main", columnsMax: 60 };
  expect(note(undefined)).toEqual([name, " has no lock: this one is new"]);
  expect(note(now)).toEqual([name, ": no definition has changed"]);
  expect(note(old)).toEqual([name, ": 1 definition changed, 10 tokens more"]);
});

test.each([
  [1, "1 token more"],
  [-2_000, "2,000 tokens fewer"],
  [0, "as many tokens"],
])("growthText of %d", (tokens, text) => expect(growthText(tokens)).toBe(text));
