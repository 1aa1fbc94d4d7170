import { describe, expect, test } from "bun:test";
import { estimatorIds } from "#tokens/estimators/ids.ts";
import { countedList, type Priced, pricesByCommand } from "../support/agreement.ts";
import {
  forEachClient,
  type PerClient,
  testTokenCounts,
  clientAndModel,
  type Texts,
  tokensOf,
} from "../support/golden-clients.ts";
import { trickyDefinitions } from "../support/tricky-definitions.ts";

describe("the prices of definitions that are hard to write alike", () => {
  for (const tokenizer of estimatorIds) {
    test(`agree under ${tokenizer}`, () => {
      const { profile, ...others } = pricesByCommand(trickyDefinitions, { tokenizer });
      expect(profile?.total).toBeGreaterThan(100);
      expect(profile?.tools).toHaveLength(trickyDefinitions.tools.length);
      expect(countedList(trickyDefinitions, tokenizer)).toBe(profile?.total ?? 0);
      for (const [command, priced] of Object.entries(others)) {
        expect({ command, ...priced }).toEqual({ command, ...(profile ?? expect.unreachable()) });
      }
    });
  }
});

const listed: Texts = [
  ["search", 1],
  ["Find roses", 2],
  ['{"properties":{"q":{"type":"string"}},"required":["q"],"type":"object"}', 19],
];

testTokenCounts("a definition", [listed]);

const rows: PerClient<Texts> = {
  "Claude Code": listed,
  Codex: listed,
  "Gemini CLI": listed,
  Cursor: listed,
  "VS Code": listed,
  unknown: listed,
};

forEachClient(rows, (texts, client, { era }) => {
  const asked = { ...clientAndModel(client), tokenizer: "o200k", era } as const;

  test("a definition costs its texts in every command, in any order of its members", () => {
    const tool = {
      inputSchema: {
        type: "object",
        required: ["q"],
        properties: { q: { type: "string" } },
      },
      description: "Find roses",
      annotations: { readOnlyHint: true },
      name: "search",
    };
    const prices = pricesByCommand({ ...trickyDefinitions, tools: [tool] }, asked);
    const tokens = tokensOf(texts);
    const priced: Priced = { total: tokens, tools: [`search ${tokens}`] };
    expect(prices).toEqual({
      profile: priced,
      run: priced,
      report: priced,
      lock: priced,
      check: priced,
    });
  });

  test("the commands agree on definitions that are hard to write alike", () => {
    const { profile, ...others } = pricesByCommand(trickyDefinitions, asked);
    for (const priced of Object.values(others)) expect<unknown>(priced).toEqual(profile);
  });
});
