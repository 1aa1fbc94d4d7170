import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "#estimators/claude.ts";
import { definitionModel } from "#cost/estimator.ts";
import { tiktoken, unitsOnly } from "./support/counters.ts";

const calibration = join(import.meta.dir, "../../../shared/data/servers");

test("claude: text is o200k × 1.53", () => {
  expect(claude(unitsOnly).count("a".repeat(100))).toBe(153);
});

test("claude: definitions of a list with one tool, part by part", () => {
  const model = definitionModel(claude(unitsOnly));
  const texts = model.form({ name: "ping", description: "Pong", schema: "{}" });
  const tokens = Object.values(texts).map((text) => model.count(text));
  expect({ texts, tokens, perList: model.perList }).toEqual({
    texts: {
      name: '{"name":"ping"',
      description: ',"description":"Pong"',
      schema: ',"inputSchema":{}}',
    },
    tokens: [24, 36, 31],
    perList: 290,
  });
});

if (existsSync(calibration)) {
  test("claude: definitions of the calibrated servers within 6 % on average, 15 % at worst", () => {
    const errors = readdirSync(calibration).flatMap((file) => {
      const server = JSON.parse(readFileSync(join(calibration, file), "utf8"));
      const counted: unknown = server.claudeOpus5Tokens;
      return typeof counted === "number" ? [priced(server.tools) / counted - 1] : [];
    });
    const distances = errors.map(Math.abs);
    expect(errors).toHaveLength(10);
    expect(distances.reduce((sum, one) => sum + one, 0) / errors.length).toBeLessThan(0.06);
    expect(Math.max(...distances)).toBeLessThan(0.15);
  });
} else {
  test.skip("claude: definitions of the calibrated servers (../shared/data is absent)", () => {});
}

type Tool = { readonly name: string; readonly description?: string; readonly inputSchema: unknown };

function priced(tools: readonly Tool[]): number {
  const model = definitionModel(claude(tiktoken));
  const texts = tools.flatMap(({ name, description = "", inputSchema }) =>
    Object.values(model.form({ name, description, schema: JSON.stringify(inputSchema) })),
  );
  return texts.reduce((sum, text) => sum + model.count(text), model.perList);
}
