import { expect, test } from "bun:test";
import { compareProfiles } from "#lock/profile.ts";
import { buildComparisonDocument } from "#screens/renderers/documents/profile.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import { madeProfile, profiledTool } from "../../../support/made-profile.ts";

const bounded = {
  ...profiledTool("light", 300),
  worst_case: { ...profiledTool("", 0).worst_case, is_assumed: false, tokens: 1_450 },
};
const later = {
  ...madeProfile,
  definitions: { ...madeProfile.definitions, total_tokens: 1_365 },
  instructions: { tokens: 12, sha256: null },
  tools: [bounded, profiledTool("heavy", 900), profiledTool("new", 165)],
};

const terms = {
  title: { name: "memory 1" },
  noun: "tool",
  totalLabel: "definitions",
  estimators: [madeProfile.estimator],
} as const;

test("profileComparisonDocument has the tools that differ, and the totals", () => {
  const document = buildComparisonDocument(compareProfiles("a.json", madeProfile, later), terms);
  expect(renderTerminal(document, { color: false })).toMatchInlineSnapshot(`
    "memory 1

    tool   before  after  delta  largest answer
    new       new   ~165   +165
    heavy  ~1,000   ~900   -100
    light    ~300   ~300      0  not declared → 1,450

    definitions    ~1,300 tokens before, ~1,365 tokens after, +65 (+5.0%)
    instructions   ~9 tokens before, ~12 tokens after, +3 (+33%)
    tools          3 tools changed, 0 unchanged
    compared with  a.json
    counted by     o200k ●●○ not known; ~ marks estimates
    "
  `);
});

test("profileComparisonDocument of equal profiles says so", () => {
  const same = compareProfiles("a.json", madeProfile, madeProfile);
  const text = renderTerminal(buildComparisonDocument(same, terms), { color: false });
  expect(text).toContain("tools          0 tools changed, 2 unchanged\n");
  expect(text).toContain("definitions    ~1,300 tokens, unchanged\n");
});

test("a decrease has as many digits as a growth", () => {
  const change = compareProfiles("a.json", later, madeProfile);
  const text = renderTerminal(buildComparisonDocument(change, terms), { color: false });
  expect(text).toContain("instructions   ~12 tokens before, ~9 tokens after, -3 (-25%)\n");
});
