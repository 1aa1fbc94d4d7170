import { expect, test } from "bun:test";
import { answerKey, planCalls } from "#check/planned-call.ts";

const tokens = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : undefined;
const plan = (raw: unknown) => planCalls(raw, tokens);

test("planCalls fills in what is not said", () => {
  expect(plan([{ tool: "t" }])).toEqual({
    calls: [
      {
        name: "t #1",
        tool: "t",
        arguments: {},
        isError: false,
        budgetTokens: undefined,
        repeat: 1,
      },
    ],
  });
  const full = { tool: "t", name: "n", arguments: { a: 1 }, isError: true, budget: 5, repeat: 3 };
  expect(plan([full])).toMatchObject({
    calls: [{ name: "n", isError: true, budgetTokens: 5, repeat: 3 }],
  });
});

test.each([
  [null, "it must be a list"],
  [{}, "it must be a list"],
  [[], "it holds no call"],
  [[3], "it[0] must be an object"],
  [[{}], "it[0].tool must be a text"],
  [[{ tool: "t", expect: 1 }], 'it[0] has the unknown member "expect"'],
  [[{ tool: "t" }, { tool: "t", arguments: [] }], "[1].arguments must be an object"],
  [[{ tool: "t", budget: "lots" }], "[0].budget must be a number of tokens"],
  [[{ tool: "t", repeat: 0 }], "[0].repeat must be at least 1"],
  [[{ tool: "t", repeat: -1 }], "it[0].repeat must be a whole number"],
])("planCalls of %j: %s", (raw, fault) => {
  const planned = plan(raw);
  expect("fault" in planned ? planned.fault : "fine").toContain(fault);
});

function key(tool: string, args: Record<string, unknown>): string {
  return answerKey({ tool, arguments: args }, (text) => text);
}

test("answerKey knows a call by tool and arguments, in any order", () => {
  expect(key("t", { a: 1, b: 2 })).toBe(key("t", { b: 2, a: 1 }));
  expect(key("t", { a: 1 })).not.toBe(key("u", { a: 1 }));
});
