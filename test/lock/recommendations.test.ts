import {
  fieldsMax,
  wireOnlyTokensMin,
  recommend,
  type ToolReview,
  type ProfiledTool,
  descriptionTokensMax,
} from "#lock/recommendations.ts";
import { expect, test } from "bun:test";

function review(tool: Partial<ProfiledTool> = {}, more: Partial<ToolReview> = {}): ToolReview {
  const worst = {
    tokens: 10,
    basis: "declared",
    is_assumed: false,
    tier: "low",
    source: "x",
    base_tokens: null,
    items: null,
  } as const;
  return {
    tool: {
      name: "tool",
      tokens: 50,
      name_tokens: 1,
      description_tokens: 10,
      schema_tokens: 39,
      wire_only_tokens: 0,
      percent_total: 100,
      percent_window: 0,
      sha256: "",
      input_fields: 1,
      output_fields: 1,
      worst_case: worst,
      risk: "low",
      ...tool,
    },
    description: "",
    limitParameters: [],
    hasOpenList: false,
    ...more,
  };
}

const kinds = (...tools: ToolReview[]): string[] => recommend(tools).map(({ kind }) => kind);
const unbounded = {
  tokens: 2_800,
  basis: "unbounded",
  is_assumed: true,
  tier: "medium",
  source: null,
  base_tokens: 28,
  items: null,
} as const;

test("recommend is empty for a small, bounded tool", () => {
  expect(kinds(review())).toEqual([]);
});

test.each([
  ["an unbounded answer", review({ worst_case: unbounded, risk: null }), ["bound_collection"]],
  ["a high risk", review({ risk: "high" }), ["cap_payload"]],
  ["an open list of a bounded answer", review({}, { hasOpenList: true }), ["open_list"]],
  ["too many fields", review({ input_fields: fieldsMax + 1 }), ["many_fields"]],
  ["as many fields as may be", review({ output_fields: fieldsMax }), []],
  [
    "a long description",
    review({ description_tokens: descriptionTokensMax + 1 }),
    ["long_description"],
  ],
  ["a description just short", review({ description_tokens: descriptionTokensMax }), []],
  ["weight on the wire", review({ wire_only_tokens: wireOnlyTokensMin + 1 }), ["wire_only_weight"]],
  ["as much weight as the model reads", review({ tokens: 900, wire_only_tokens: 900 }), []],
] as const)("recommend for %s", (_, tool, expected) => {
  expect(kinds(tool)).toEqual([...expected]);
});

test("recommend names the twin of a copied description, once and never for empty ones", () => {
  const [spaced, plain] = [{ description: "Does it. " }, { description: "Does it." }];
  const found = recommend([review({ name: "a" }, spaced), review({ name: "b" }, plain)]);
  expect(found).toMatchObject([{ kind: "duplicate_description", tool: "b" }]);
  expect(found[0]?.text).toContain("same description as a");
  expect(kinds(review(), review())).toEqual([]);
});

test("recommend puts critical first and names the parameter that lacks a maximum", () => {
  const light = review({ name: "light", input_fields: 20 });
  const heavy = review({ name: "heavy", risk: "critical" }, { limitParameters: ["limit"] });
  const open = review(
    { name: "open", risk: null, worst_case: unbounded },
    { limitParameters: ["limit"] },
  );
  const found = recommend([light, open, heavy]);
  expect(found.map(({ severity }) => severity)).toEqual(["critical", "medium", "medium"]);
  expect(found[2]?.text).toBe(
    "the answer has no declared limit: give the parameter limit a maximum",
  );
});

test("recommend writes numbers with separators, and phrases that hold for several tools", () => {
  const worst = { ...unbounded, basis: "declared", tokens: 9_800 } as const;
  const heavy = review({ risk: "critical", worst_case: worst, description_tokens: 40_000 });
  const texts = recommend([heavy]).map(({ text }) => text);
  expect(texts[0]).toBe("answer may reach 9,800 tokens: add paging, or omit fields by default");
  expect(texts[1]).toStartWith("description has more than 160 tokens: ");
});

test("recommend never calls an answer heavy that the definition says nothing about", () => {
  const open = { risk: null, worst_case: unbounded };
  expect(recommend([review(open)])).toMatchObject([{ severity: "low" }]);
  expect(recommend([review(open, { hasOpenList: true })])).toMatchObject([{ severity: "medium" }]);
});

test("recommend gives one severity to a sentence, and limits no tool whose recorded answers are confirmations", () => {
  const open = { risk: null, worst_case: unbounded };
  const all = [
    review(open),
    review(open, { hasOpenList: true }),
    review(open, { limitParameters: ["n"] }),
  ];
  const found = recommend(all);
  expect(new Set(found.map(({ text }) => text)).size).toBe(3);
  expect(found.map(({ severity }) => severity)).toEqual(["medium", "medium", "low"]);
  const closed = { ...open, recorded: { calls: 3, average_tokens: 20, max_tokens: 200 } };
  expect(recommend([review(closed)])).toEqual([]);
  for (const more of [{ calls: 2 }, { max_tokens: 201 }]) {
    const recorded = { ...closed.recorded, ...more };
    expect(recommend([review({ ...closed, recorded })])).toHaveLength(1);
  }
});
