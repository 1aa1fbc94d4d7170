import { expect, test } from "bun:test";
import { judgeLock } from "#lock/lock-report.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import {
  buildBaseDrifts,
  makeBaseNote,
  buildBaseSections,
  describeTokenGrowth,
} from "#screens/renderers/documents/lock.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import { lockedDefinition, lockWith } from "../../../support/locks.ts";

const makeTool = (description: string, total: number) => ({
  ...lockedDefinition({ name: "search", description, inputSchema: { type: "object" } }),
  tokens: { total, name: 1, description: 9, schema: 40, wire_only: 0 },
});
const old = lockWith([makeTool("Search", 50)]);
const now = lockWith([makeTool("Search all", 60)]);
const terms = {
  lockFile: "mcp-meter.lock",
  limits: {},
  failOn: "risky",
  thresholds: riskThresholdsDefault,
} as const;
const compare = (locked: Lock, base: Lock | undefined) =>
  judgeLock(locked, now, { ...terms, base: { name: "origin/main", lock: base } });

test("baseSections are the costs, the drifts and the diffs since the base, and a note", () => {
  const sections = buildBaseSections(compare(now, old));
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

    base  origin/main: 1 definition changed, 10 tokens more in total; worst drift is RISKY
    "
  `);
});

test("baseSections do not repeat the drifts of a lock that is the base's", () => {
  expect(buildBaseDrifts(compare(now, old))).toHaveLength(1);
  expect(buildBaseDrifts(compare(old, old))).toEqual([]);
  expect(buildBaseSections(judgeLock(old, now, terms))).toEqual([]);
});

const baseFrom = (base: Lock | undefined) => {
  const { base: report } = compare(now, base);
  if (!report) throw new Error("no base");
  return makeBaseNote(report).text;
};

// The server is `now` and has neither title, prompts nor instructions.
test.each<readonly [string, Lock | undefined, string]>([
  ["no lock", undefined, " has no lock at this path: the lock is new or was moved"],
  ["the same lock", now, ": nothing has changed"],
  ["a tool", old, ": 1 definition changed, 10 tokens more in total; worst drift is RISKY"],
  [
    "a title",
    lockWith(now.tools, { server: { ...now.server, title: "S" } }),
    ": no tool has changed; worst drift is RISKY",
  ],
  [
    "a version",
    lockWith(now.tools, { server: { ...now.server, version: "2" } }),
    ": no tool has changed; worst drift is COSMETIC",
  ],
  [
    "a prompt",
    lockWith(now.tools, { prompts: [{ name: "p" }] }),
    ": no tool has changed; worst drift is BREAKING",
  ],
  [
    "instructions",
    lockWith(now.tools, { instructions: { sha256: "0".repeat(64), tokens: 3, text: "Do." } }),
    ": no tool has changed; instructions changed; worst drift is RISKY",
  ],
  [
    "a tool and instructions",
    lockWith(old.tools, { instructions: { sha256: "0".repeat(64), tokens: 3, text: "Do." } }),
    ": 1 definition changed, 10 tokens more in total; instructions changed; worst drift is RISKY",
  ],
])("baseNotes where the base differs in %s", (_name, base, text) => {
  expect(baseFrom(base)).toEqual([{ name: "origin/main", columnsMax: 60 }, text]);
});

test.each([
  [1, "1 token more"],
  [-2_000, "2,000 tokens fewer"],
  [0, "the same number of tokens"],
])("growthText of %d", (tokens, text) => expect(describeTokenGrowth(tokens)).toBe(text));
