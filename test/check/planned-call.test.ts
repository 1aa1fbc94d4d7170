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
  [null, "it must be a list of at least 1 item, not null"],
  [{}, "it must be a list of at least 1 item, not an object"],
  [[], "it must be a list of at least 1 item, not 0"],
  [[3], "[0] must be an object, not 3"],
  [[{}], "[0].tool is required and must be text"],
  [[{ tool: 5 }], "[0].tool must be text, not 5"],
  [[{ tool: "t", argument: {} }], 'unknown property "argument" in [0] (did you mean "arguments"?)'],
  [[{ tool: "t", expect: 1 }], 'unknown property "expect" in [0]'],
  [[{ tool: "t" }, { tool: "t", arguments: [] }], "[1].arguments must be an object, not a list"],
  [[{ tool: "t", arguments: "s3cret" }], "[0].arguments must be an object, not text"],
  [
    [{ tool: "t", budget: "lots" }],
    '[0].budget must be a number of tokens such as 2000 or 2k, not "lots"',
  ],
  [[{ tool: "t", budget: true }], "[0].budget must be a number or text, not true"],
  [[{ tool: "t", budget: Infinity }], "[0].budget must be a number or text, not Infinity"],
  [[{ tool: "t", repeat: 0 }], "[0].repeat must be a whole number of at least 1, not 0"],
  [[{ tool: "t", repeat: 1.5 }], "[0].repeat must be a whole number of at least 1, not 1.5"],
])("planCalls of %j: %s", (raw, fault) => {
  expect<unknown>(plan(raw)).toEqual({ fault });
});

function key(tool: string, args: Record<string, unknown>): string {
  return answerKey({ tool, arguments: args }, (text) => text);
}

test("answerKey knows a call by tool and arguments, in any order", () => {
  expect(key("t", { a: 1, b: 2 })).toBe(key("t", { b: 2, a: 1 }));
  expect(key("t", { a: 1 })).not.toBe(key("u", { a: 1 }));
});
