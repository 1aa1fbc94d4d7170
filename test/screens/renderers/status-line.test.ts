import { describe, expect, test } from "bun:test";
import { renderStatusLine, type StatusFacts } from "#screens/renderers/status-line.ts";

const usual = "mcp {tokens} · {top} · {cost} · {refused}";

const facts: StatusFacts = {
  servers: [
    { name: "memory", tokens: 5_336 },
    { name: "github", tokens: 13_064 },
  ],
  calls: 12,
  refused: 3,
  isEstimated: true,
  cost: { low: 0.11, high: 0.11 },
  isComplete: true,
};

const nothing = { servers: [], calls: 0, refused: 0, cost: null };

function line(told: Partial<StatusFacts> = {}, template: string = usual, color = false): string {
  return renderStatusLine({ ...facts, ...told }, { template, color });
}

describe("renderStatusLine", () => {
  const rows: readonly (readonly [line: string, facts: Partial<StatusFacts>, template?: string])[] =
    [
      ["mcp ~18.4k · github 71% · ~$0.11 · 3 refused", {}],
      ["mcp 18.4k · github 71% · ~$0.11 · 3 refused", { isEstimated: false }],
      ["mcp ~18.4k+ · github 71% · ~$0.11 · 3 refused", { isComplete: false }],
      ["mcp ~18.4k · github 71%", { cost: null, refused: 0 }],
      ["mcp ~18.4k · github 71% · ~$0.080–0.11", { cost: { low: 0.08, high: 0.11 }, refused: 0 }],
      ["mcp ~110 · a 100% · ~$0.11", { servers: [{ name: "a", tokens: 110 }], refused: 0 }],
      ["12 calls", {}, "{calls}"],
      ["1 call", { calls: 1 }, "{calls}"],
      ["~$0.11 for 12 calls", {}, "{cost} for {calls}"],
      ["for 12 calls", { cost: null }, "{cost}for {calls}"],
      ["", { refused: 0 }, "{refused}"],
      ["a · b", { refused: 0 }, "a · {refused} · b"],
      ["~18.4k | ", { refused: 0 }, "{tokens} | {refused}"],
      ["one line ~18.4k", {}, "one\r\n line\n{tokens}"],
      ["{other} {} ~18.4k", {}, "{other} {} {tokens}"],
      ["", nothing],
      ["", { ...nothing, servers: [{ name: "a", tokens: Number.NaN }] }],
    ];
  for (const [expected, told, template] of rows) {
    test(`${JSON.stringify(told)} with ${template ?? "the usual template"}: ${expected}`, () => {
      expect(line(told, template)).toBe(expected);
    });
  }

  test("refused calls are yellow where colors are allowed", () => {
    expect(line({}, "{tokens} · {refused}", true)).toBe("~18.4k · \u001b[33m3 refused\u001b[39m");
    expect(line({ refused: 0 }, usual, true)).not.toContain("\u001b");
  });

  test("the name of a server can neither add fields nor escape", () => {
    const names = [
      ["{cost} · x", "{cost} · x 100%"],
      ["\u001b[31mred\u0007\nrow", "\\u001b[31mred\\u0007\\u00… 100%"],
      ["x".repeat(1_000), `${"x".repeat(23)}… 100%`],
      ["\u202eevil", "\\u202eevil 100%"],
    ] as const;
    for (const [name, expected] of names)
      expect(line({ servers: [{ name, tokens: 1_000 }] }, "{top}")).toBe(expected);
  });
});
