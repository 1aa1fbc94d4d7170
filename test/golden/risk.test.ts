/** Risk comes from declared and observed sizes: a definition that declares none has none, an answer has its own. */
import { expect, test } from "bun:test";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { profileServer } from "#lock/profile.ts";
import { buildProfileDocument } from "#screens/renderers/documents/profile.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import type { SpokenEra } from "../support/eras.ts";
import {
  startPlay,
  clientReader,
  forEachClient,
  type GoldenClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
  wireName,
  shownText,
} from "../support/golden-clients.ts";
import { sha256 as hash } from "../support/play.ts";

const close = { name: "browser_close", inputSchema: { type: "object", properties: {} } };
const flag = { name: "is_open", outputSchema: { properties: { open: { type: "boolean" } } } };

const said = "The browser is closed.";
const written: Texts = [
  ["browser_close", 2],
  ["{}", 1],
];

const shown = shownText(said, 5, 15);

testTokenCounts("the call", [written, ...rowsOf(shown).map(([, texts]) => texts)]);

function profiled(client: GoldenClient, era: SpokenEra) {
  const reader = clientReader(client)(wireName(client));
  const tools = [close, flag];
  const listing = {
    server: { name: "garden", version: "1", protocol_version: null, era: era.era },
    instructions: undefined,
    tools,
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  const definitions = estimateDefinitions({ tools }, reader, hash);
  const terms = { reader, thresholds: riskThresholdsDefault, hash };
  return profileServer(listing, definitions, terms);
}

forEachClient(shown, (texts, client, era) => {
  test("browser_close has no limit declared in the profile", () => {
    const profile = profiled(client, era);
    // 70 tokens an item, times 100; true or false is 5 characters, 2 tokens.
    expect(profile.tools).toMatchObject([
      { name: "browser_close", risk: null, worst_case: { tokens: 7_000, tier: "high" } },
      { name: "is_open", risk: "low", worst_case: { tokens: 2, is_assumed: false } },
    ]);
    expect(profile.verdict).toEqual({ risk: "low", unbounded: ["browser_close"], critical: [] });
    const text = renderTerminal(buildProfileDocument({ ...profile, savings: [] }), {
      color: false,
    });
    expect(text).toMatch(/^browser_close .* 0\/0 +no limit declared$/m);
    expect(text).not.toMatch(/\bhigh\b/);
  });

  test("its answers are low, medium or high by the tokens that were read", () => {
    const tokens = tokensOf(texts);
    // A call whose size is the bound is within it.
    const all = tokensOf(written) + tokens;
    const risks = [
      [all, all + 1, all + 2],
      [all - 1, all, all + 1],
      [all - 2, all - 1, all],
      [all - 3, all - 2, all - 1],
    ] as const;
    const found = risks.map((risk) => {
      const played = startPlay(client, era, { risk })
        .client(era.ask(1, "tools/call", { name: "browser_close", arguments: {} }))
        .server(era.answer(1, { content: [{ type: "text", text: said }] }))
        .end();
      const [row] = played.summary.tools;
      expect(row?.output_tokens).toBe(tokens);
      return row?.risk;
    });
    expect(found).toEqual(["low", "medium", "high", "critical"]);
  });
});
