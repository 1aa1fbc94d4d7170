// Risk comes from declared and observed sizes: a definition that declares none has none, an answer has its own.
import { describe, expect, test } from "bun:test";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { profileServer } from "#lock/profile.ts";
import { profileDocument } from "#renderers/documents/profile.ts";
import { renderTerminal } from "#renderers/terminal.ts";
import { o200kTokens, goldenReader, spokenEras } from "../support/eras.ts";
import { Play, sha256 as hash } from "../support/play.ts";

const close = { name: "browser_close", inputSchema: { type: "object", properties: {} } };
const flag = { name: "is_open", outputSchema: { properties: { open: { type: "boolean" } } } };

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  test("browser_close: no limit declared in the profile, low by its answer in the session", () => {
    const readerFor = goldenReader("o200k");
    const reader = readerFor("golden-host");
    const tools = [close, flag];
    const listing = {
      server: { name: "garden", version: "1", protocol_version: null, era: era.era },
      instructions: undefined,
      tools,
      prompts: [],
      resources: [],
      resourceTemplates: [],
    };
    const definitions = priceDefinitions(tools, undefined, reader, hash);
    const terms = { reader, thresholds: riskThresholdsDefault, hash };
    const profile = profileServer(listing, definitions, terms);
    // 70 tokens an item, times 100; true or false is 5 characters, 2 tokens.
    expect(profile.tools).toMatchObject([
      { name: "browser_close", risk: null, worst_case: { tokens: 7_000, tier: "high" } },
      { name: "is_open", risk: "low", worst_case: { tokens: 2, is_assumed: false } },
    ]);
    expect(profile.verdict).toEqual({ risk: "low", unbounded: ["browser_close"], critical: [] });
    const text = renderTerminal(profileDocument(profile), { color: false });
    expect(text).toMatch(/^browser_close .* ~70\/item {2}no limit declared$/m);
    expect(text).not.toMatch(/\bhigh\b/);

    const { asked, answered } = era.begin("golden-host");
    const said = "The browser is closed.";
    const played = new Play({ readerFor })
      .client(asked)
      .server(answered)
      .client(era.ask(1, "tools/call", { name: "browser_close", arguments: {} }))
      .server(era.answer(1, { content: [{ type: "text", text: said }] }))
      .end();
    const [row] = played.summary.tools;
    expect(row).toMatchObject({ risk: "low", output_tokens: o200kTokens(said) });
  });
});
