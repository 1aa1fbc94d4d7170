import { describe, expect, test } from "bun:test";
import { readMember } from "#wire/json.ts";
import { legacyInput } from "./lines.ts";
import { legacy } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { runMeter } from "./run.ts";

const home = eachHome();

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["weather", { city: "Lisbon" }],
  ["picture", {}],
  ["fail", {}],
]);

const key = "dev.mcp-meter/usage";

async function answers(options: readonly string[]): Promise<Map<unknown, string>> {
  const run = await runMeter(home, [...options, "--log", "off", "--", ...legacy().argv], { input });
  const lines = run.stdout.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [JSON.parse(line).id, line]));
}

function taken(line: string): { usage: unknown; rest: string } {
  const found = new RegExp(`,"_meta":\\{"${key}":(\\{[^}]*\\})\\}`).exec(line);
  return { usage: JSON.parse(found?.[1] ?? "null"), rest: line.replace(found?.[0] ?? "", "") };
}

describe("--annotate", () => {
  test("adds what each call cost, and changes no other byte", async () => {
    const [plain, annotated] = [await answers([]), await answers(["--annotate"])];
    expect(new Set(annotated.keys())).toEqual(new Set(plain.keys()));
    const calls = [...annotated].filter(([, line]) => line.includes(key));
    expect(calls).toHaveLength(4);
    for (const [id, line] of annotated) {
      const { usage, rest } = taken(line);
      expect(rest).toBe(plain.get(id) ?? "");
      if (!line.includes(key)) continue;
      expect(usage).toMatchObject({ method: "bpe", confidence: "medium" });
      expect(usage).toHaveProperty("tokens");
      expect(usage).toHaveProperty("duration_ms");
    }
  });

  test.each([
    ["gpt-5", true],
    ["a-model-without-a-price", false],
  ])("with --cost adds dollars where %s has a price", async (model, isPriced) => {
    const lines = await answers(["--annotate", "--cost", "--model", model]);
    const costs = [...lines.values()].flatMap((line) => {
      const usage = readMember(JSON.parse(line).result, "_meta", key);
      return usage === undefined ? [] : [readMember(usage, "cost_usd")];
    });
    expect(costs).toHaveLength(4);
    for (const cost of costs) {
      expect(cost).toEqual(
        isPriced ? { low: expect.any(Number), high: expect.any(Number) } : undefined,
      );
    }
  });
});
