import { expect, test } from "bun:test";
import type { ProfileWithSavings } from "#lock/find-savings.ts";
import { buildAnswerSections, buildProfileDocument } from "#screens/renderers/documents/profile.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import { advice, madeProfile, profiledTool } from "../../../support/made-profile.ts";

const print = (changes: Partial<ProfileWithSavings>, color = false): string =>
  renderTerminal(buildProfileDocument({ ...madeProfile, ...changes }), { color });

test("profileDocument has the most expensive tool first, and the same recommendation once", () => {
  expect(print({})).toMatchInlineSnapshot(`
    "memory 1

    tool   tokens  name  descr  schema  share  window  fields    answer  risk
    heavy  ~1,000    ~1     ~2      ~3    50%    0.5%     5/6  ~28/item  no limit declared
    light    ~300    ~1     ~2      ~3    50%    0.5%     5/6  ~28/item  no limit declared

    definitions   2 tools, ~1,300 tokens, 0.7% of a 200,000-token window
    wire only     ~8 tokens that the model never reads
    instructions  ~9 tokens
    prompts       1 listed, ~10 tokens if the list is read
    verdict       unknown: no tool declares the size of its answers
    no limit      2 tools with no limit declared
    counted by    o200k ●●○ not known; ~ marks estimates

    change first  drop $schema: saves ~130 tokens, 10% of the definitions (2 tools: light, heavy)

    medium  bound it (2 tools: light, heavy)
    "
  `);
});

const sized = {
  ...profiledTool("sized", 50),
  risk: "medium",
  worst_case: {
    tokens: 2_000,
    basis: "declared",
    is_assumed: false,
    tier: "medium",
    source: "maxLength",
    base_tokens: null,
    items: null,
  },
} as const;
const listed = {
  ...profiledTool("listed", 40),
  worst_case: { ...profiledTool("", 0).worst_case, basis: "bounded", items: 3, tokens: 134 },
} as const;

test("profileDocument colors risks, and judges a server by the tools that declare a size", () => {
  const tools = [sized, listed, profiledTool("open", 1)];
  const verdict = { risk: "medium", unbounded: ["open"], critical: [] } as const;
  expect(print({ tools, verdict }, true)).toContain("\u001b[33mmedium\u001b[0m");
  const text = print({ tools, verdict });
  expect(text).toMatch(/^sized .* 2,000 {2}medium$/m);
  expect(text).toMatch(/^listed .* 3 × ~28\/item {2}no size declared$/m);
  expect(text).toMatch(/^open .* ~28\/item {2}no limit declared$/m);
  expect(text).toContain("verdict       medium for 1 tool with a declared size, unknown for 2\n");
});

test("profileDocument of a server without tools says so", () => {
  const verdict = { risk: "low", unbounded: [], critical: [] } as const;
  expect(print({ tools: [], verdict, recommendations: [] })).toContain("verdict       no tools\n");
});

test("profileDocument names critical tools", () => {
  const verdict = { risk: "critical", unbounded: [], critical: ["heavy"] } as const;
  expect(print({ verdict })).toContain("critical      1 tool: heavy\n");
});

test("profileDocument counts the rows and recommendations it leaves out, and clips long ones", () => {
  const tools = Array.from({ length: 60 }, (_, at) => profiledTool(`t${at}`, 100 - at));
  const recommendations = tools.map(({ name }) => ({
    ...advice,
    tool: name,
    text: `bound ${name} ${"x".repeat(900)}`,
  }));
  const text = print({ tools, recommendations });
  expect(text).toMatch(/^10 more tools +~455$/m);
  expect(text).toContain("40 more recommendations; use --format json to list all");
  expect(text).toMatch(/^medium {2}bound t0 x+… \(1 tool: t0\)$/m);
});

test("profileDocument shows an assumption once, and in no cell", () => {
  const closed = { ...profiledTool("browser_close", 9), output_fields: 0 };
  const bounded = { ...listed, name: "some", output_fields: 0 };
  const verdict = { risk: null, unbounded: ["browser_close"], critical: [] };
  const alone = print({ tools: [closed], verdict });
  expect(alone).toMatch(/^tool .* fields {2}risk$/m);
  expect(alone).toMatch(/^browser_close .* 5\/0 {2}no limit declared$/m);
  const both = print({ tools: [closed, bounded], verdict });
  expect(both).toMatch(/^some .* 5\/0 {2}3 items {2}no size declared$/m);
  expect(both).toContain(
    "without an output schema, each item of an answer is assumed to have 70 tokens\n",
  );
  expect(both.split("70")).toHaveLength(2);
  const declared = { ...sized, output_fields: 0 };
  const named = { ...verdict, unbounded: ["open"] };
  const none = print({ tools: [profiledTool("open", 1), declared], verdict: named });
  expect(none).toContain("1 tool with no limit declared\n");
});

test("profileDocument warns of entries of the list that are not tools", () => {
  const definitions = { ...madeProfile.definitions, not_tools: 1 };
  expect(print({ definitions })).toContain(
    "warning       The list of tools has 1 entry that is not a tool; clients may reject the whole list",
  );
  expect(print({})).not.toContain("warning");
});

test("profileDocument has the size of recorded answers, and a verdict by them where no size is declared", () => {
  const sizes = { calls: 2, average_tokens: 40, max_tokens: 60 };
  const tools = [{ ...profiledTool("t", 9), recorded: sizes }];
  const recorded = { calls: 2, tools: 1, max_tokens: 60, risk: "low" } as const;
  const text = print({ tools, verdict: { ...madeProfile.verdict, recorded } });
  expect(text).toContain("~40, max ~60");
  expect(text).toContain("low: the largest answer of 2 recorded calls of 1 tool took ~60 tokens");
});

test("buildAnswerSections names the tools over a budget, and how many have no known size", () => {
  const tokens = { budget: "2k", limit: 2_000, unit: "tokens", is_enforced: true } as const;
  const money = { budget: "exa_*=$0.02", limit: 0.02, unit: "dollars", prices: "made" } as const;
  const large = { tool: "large", tokens: 3_000, source: "declared" } as const;
  const paid = { tool: "exa_a", tokens: null, source: null, cost_usd: 0.031 } as const;
  const many = Array.from({ length: 21 }, (_, at) => ({ ...large, tool: `t${at}` }));
  const sections = buildAnswerSections([
    { ...tokens, tools: 6, unknown: 4, over: [large] },
    { ...money, is_enforced: true, tools: 1, unknown: 0, over: [paid] },
    { ...tokens, budget: "1k", tools: 30, unknown: 0, over: many },
  ]);
  const text = renderTerminal({ title: "server", sections }, { color: false });
  expect(text.split(/^over {4}t0.*$/m)[0]).toMatchInlineSnapshot(`
    "server

    budget  2k: the largest answer of 1 of 6 tools exceeds this budget; for 4 tools, the size is unknown
    over    large: 3,000 of 2,000 tokens, declared

    budget  exa_*=$0.02: the largest answer of 1 of 1 tool exceeds this budget
    over    exa_a: ~$0.031 of $0.02, for the call alone: the size of its answer is unknown

    budget  1k: the largest answers of 21 of 30 tools exceed this budget
    "
  `);
  expect(text).toContain("1 more tool; use --format json to list all");
  expect(text).toEndWith("priced by  made\n");
});
