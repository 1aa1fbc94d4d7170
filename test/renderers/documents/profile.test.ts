import { expect, test } from "bun:test";
import type { Profile } from "#lock/profile.ts";
import { profileDocument } from "#renderers/documents/profile.ts";
import { renderTerminal } from "#renderers/terminal.ts";
import { advice, madeProfile, profiledTool } from "../../support/made-profile.ts";

const shown = (changes: Partial<Profile>, color = false): string =>
  renderTerminal(profileDocument({ ...madeProfile, ...changes }), { color });

test("profileDocument has the most expensive tool first, and the same recommendation once", () => {
  expect(shown({})).toMatchInlineSnapshot(`
    "memory 1

    tool   tokens  name  descr  schema  share  window  fields   worst  risk
    heavy  ~1,000    ~1     ~2      ~3    50%    0.5%     5/6  2,800+  medium
    light    ~300    ~1     ~2      ~3    50%    0.5%     5/6  2,800+  medium

    definitions   2 tools, ~1,300 tokens, 0.7% of a 200,000-token window
    wire only     ~8 tokens that the model never reads
    instructions  ~9 tokens
    prompts       1 listed, ~10 tokens if read
    verdict       medium, the highest risk of any tool
    unbounded     2 tools without a limit, marked +
    counted by    o200k ●●○ not known; ~ marks estimates

    medium  bound it (2 tools: light, heavy)
    "
  `);
});

test("profileDocument colors risks", () => {
  expect(shown({}, true)).toContain("\u001b[33mmedium\u001b[0m");
});

test("profileDocument of a server without tools says so", () => {
  const verdict = { risk: "low", unbounded: [], critical: [] } as const;
  expect(shown({ tools: [], verdict, recommendations: [] })).toContain("verdict       no tools\n");
});

test("profileDocument names critical tools", () => {
  const verdict = { risk: "critical", unbounded: [], critical: ["heavy"] } as const;
  expect(shown({ verdict })).toContain("critical      1 tool: heavy\n");
});

test("profileDocument counts the rows and recommendations it leaves out, and clips long ones", () => {
  const tools = Array.from({ length: 60 }, (_, at) => profiledTool(`t${at}`, 100 - at));
  const recommendations = tools.map(({ name }) => ({
    ...advice,
    tool: name,
    text: `bound ${name} ${"x".repeat(500)}`,
  }));
  const text = shown({ tools, recommendations });
  expect(text).toMatch(/^10 more tools +~455$/m);
  expect(text).toContain("40 more recommendations; use --format json to list all");
  expect(text).toMatch(/^medium {2}bound t0 x+… \(1 tool: t0\)$/m);
});
