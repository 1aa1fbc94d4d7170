import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "#tokens/estimators/claude-and-gemini.ts";
import { pickDefinitionFormula } from "#tokens/cost/estimator.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import type { JsonObject } from "#wire/json.ts";
import { sha256 } from "../../support/play.ts";
import { makeCountingReader } from "../../support/readers.ts";
import { tiktoken, unitsOnly } from "./support/counters.ts";

const calibration = join(import.meta.dir, "../../../../shared/data/servers");

test("claude: text is o200k × 1.55, JSON × 1.8", () => {
  const { count } = claude(unitsOnly);
  expect(count("é".repeat(100))).toBe(155);
  const json = `["${"é".repeat(96)}"]`;
  expect(count(json)).toBe(180);
  expect(count(json.slice(0, -1))).toBe(Math.round(99 * 1.55));
});

test("claude: no text has more tokens than bytes, counted whole, in parts, and within a limit", () => {
  const { count, countWithin, begin, chunks } = claude(unitsOnly);
  const text = "aé".repeat(100);
  expect(count(text)).toBe(300);
  const counting = begin?.(text);
  while (counting?.advance(Infinity) === false);
  expect(counting?.tokens).toBe(300);
  expect([countWithin?.(text, 300), countWithin?.(text, 299)]).toEqual([300, undefined]);
  expect(chunks.toTokens(200, 300)).toBe(300);
});

test("claude: definitions of a list with one tool, part by part", () => {
  const formula = pickDefinitionFormula(claude(unitsOnly));
  const texts = formula.formatTexts({ name: "ping", description: "Pong", schema: "{}" });
  const tokens = Object.values(texts).map((text) => formula.count(text));
  expect({ texts, tokens, tokensPerList: formula.tokensPerList }).toEqual({
    texts: {
      name: '{"name":"ping"',
      description: ',"description":"Pong"',
      schema: ',"inputSchema":{}}',
    },
    tokens: [14, 21, 18],
    tokensPerList: 290,
  });
  // By hand: 17 units of structure × 1.86 plus 4 units of description × 1.6.
  expect(formula.combineTokens?.({ all: 21, descriptions: 4 })).toBe(38);
});

// Their counts are not in the repository.
test.if(existsSync(calibration))(
  "claude: definitions of the calibrated servers within 3 % on average, 9 % at worst",
  () => {
    const errors = readdirSync(calibration).flatMap((file) => {
      const server = JSON.parse(readFileSync(join(calibration, file), "utf8"));
      const counted: unknown = server.claudeOpus5Tokens;
      return typeof counted === "number" ? [priced(server.tools) / counted - 1] : [];
    });
    const distances = errors.map(Math.abs);
    expect(errors).toHaveLength(10);
    expect(distances.reduce((sum, distance) => sum + distance, 0) / errors.length).toBeLessThan(
      0.03,
    );
    expect(Math.max(...distances)).toBeLessThan(0.09);
  },
);

function priced(tools: readonly JsonObject[]): number {
  const reader = { ...makeCountingReader(), estimator: claude(tiktoken) };
  return estimateDefinitions({ tools }, reader, sha256).total_tokens;
}
