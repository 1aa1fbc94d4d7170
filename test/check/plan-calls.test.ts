import { expect, test } from "bun:test";
import { planCalls } from "#check/plan-calls.ts";
import { plannedCall } from "../support/planned-call.ts";

const parseTokens = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : undefined;
const env = { TOKEN: "s3cret", EMPTY: "" };
const readLine = (path: readonly string[]): number => Number(path.at(-1)) + 1;
const plan = (raw: unknown) => planCalls(raw, { parseTokens, env, findLine: readLine });

function planned(raw: unknown) {
  const read = plan(raw);
  return "fault" in read ? expect.unreachable(read.fault) : read;
}

test("planCalls fills in what is not said", () => {
  expect(planned([{ tool: "t" }]).calls).toEqual([plannedCall()]);
  const full = { tool: "t", name: "n", arguments: { a: 1 }, isError: true, budget: 5, repeat: 3 };
  expect(planned([{ ...full, timeout: 0.5, skip: "later" }]).calls).toMatchObject([
    { name: "n", isError: true, budgetTokens: 5, repeat: 3, timeoutMs: 500, skip: "later" },
  ]);
});

test("planCalls reads an object with a timeout for the calls that have none", () => {
  const { calls } = planned({
    $schema: "calls.schema.json",
    timeout: 2,
    calls: [{ tool: "a" }, { tool: "b", timeout: 9 }],
  });
  expect(calls.map(({ timeoutMs, line }) => [timeoutMs, line])).toEqual([
    [2_000, 1],
    [9_000, 2],
  ]);
});

test("planCalls sends values of variables, keeps their names, and collects the values", () => {
  const args = { auth: ["Bearer ${TOKEN}"], text: "$${TOKEN} ${EMPTY}$5" };
  const { calls, secrets } = planned([{ tool: "t", arguments: args }]);
  expect(calls[0]?.arguments).toEqual(args);
  expect(calls[0]?.filledArguments).toEqual({ auth: ["Bearer s3cret"], text: "${TOKEN} $5" });
  expect([...secrets]).toEqual([
    ["TOKEN", "s3cret"],
    ["EMPTY", ""],
  ]);
});

test("planCalls needs no variables for a call that is skipped", () => {
  const skipped = { tool: "t", arguments: { a: "${ABSENT}" }, skip: "no account in CI" };
  expect(planned([skipped]).calls[0]?.skip).toBe("no account in CI");
});

const text = "non-empty text or a list of texts";
const file = 'a calls file must be a list of calls, or an object with the list as "calls"';
const inArguments = 'variables are allowed only in arguments; to write a literal "${", use "$${"';
const mistakes: readonly (readonly [raw: unknown, fault: string, path?: readonly string[]])[] = [
  [null, `it is empty; ${file}`, []],
  [3, `${file}, not 3`, []],
  ["tool: t", `${file}, not "tool: t"`, []],
  [[], "the list of calls must not be empty", []],
  [{}, "calls is required and must be a list of calls", []],
  [{ calls: [] }, "calls must not be empty", ["calls"]],
  [{ calls: 1 }, "calls must be a list of calls, not 1", ["calls"]],
  [{ calls: [{ tool: "t" }], timout: 1 }, '"timout" (did you mean "timeout"?)', ["timout"]],
  [[3], "calls[0] must be an object, not 3", ["0"]],
  [[{}], "calls[0].tool is required and must be text", ["0"]],
  [[{ tool: 5 }], "calls[0].tool must be text, not 5", ["0", "tool"]],
  [
    [{ tool: "t", argument: {} }],
    'unknown property "argument" in calls[0] (did you mean "arguments"?)',
    ["0", "argument"],
  ],
  [{ calls: [{ tool: "t", arguments: [] }] }, "calls[0].arguments must be an object, not a list"],
  [[{ tool: "t", arguments: "s3cret" }], "calls[0].arguments must be an object, not text"],
  [
    [{ tool: "t", budget: "lots" }],
    'calls[0].budget must be a number of tokens such as 2000 or 2k, not "lots"',
    ["0", "budget"],
  ],
  [[{ tool: "t", budget: true }], "calls[0].budget must be a number or text, not true"],
  [[{ tool: "t", repeat: 0 }], "calls[0].repeat must be a whole number of at least 1, not 0"],
  [[{ tool: "t", repeat: 1.5 }], "calls[0].repeat must be a whole number of at least 1, not 1.5"],
  [[{ tool: "t", timeout: 0 }], "calls[0].timeout must be a number from 0.001 to 86400, not 0"],
  [[{ tool: "t", skip: "" }], "calls[0].skip must not be empty"],
  ...["no", "FALSE", " off ", "true", "0"].map(
    (skip) =>
      [
        [{ tool: "t", skip }],
        `calls[0].skip must be the reason for skipping the call, not ${JSON.stringify(skip)}; remove "skip" to make the call`,
        ["0", "skip"],
      ] as const,
  ),
  [[{ tool: "t", skip: true }], "calls[0].skip must be non-empty text, not true"],
  [[{ tool: "t", expect: 1 }], "calls[0].expect must be an object, not 1"],
  [[{ tool: "t", expect: {} }], "calls[0].expect must not be empty"],
  [[{ tool: "t", expect: { contain: "a" } }], 'in calls[0].expect (did you mean "contains"?)'],
  [[{ tool: "t", expect: { contains: [] } }], "calls[0].expect.contains must not be empty"],
  [[{ tool: "t", expect: { contains: [""] } }], "calls[0].expect.contains[0] must not be empty"],
  [[{ tool: "t", expect: { contains: 5 } }], `calls[0].expect.contains must be ${text}, not 5`],
  [[{ tool: "t", expect: { equals: {} } }], "calls[0].expect.equals must not be empty"],
  [
    [{ tool: "t", expect: { equals: { name: 1 } } }],
    '"name" in calls[0].expect.equals must be a JSON pointer such as /results/0/title, where',
    ["0", "expect", "equals", "name"],
  ],
  [
    { calls: [{ tool: "t", expect: { equals: { "/b": 1, "/a~2": 1 } } }] },
    '"/a~2" in calls[0].expect.equals must be a JSON pointer',
    ["calls", "0", "expect", "equals", "/a~2"],
  ],
  [[{ tool: "t", expect: { equals: { "/a~": 1 } } }], '"/a~" in calls[0].expect.equals must be'],
  [
    [{ tool: "t", expect: { contains: ["a", "${TOKEN}"] } }],
    inArguments,
    ["0", "expect", "contains", "1"],
  ],
  [
    [{ tool: "t", expect: { equals: { "/a": ["${ABSENT}"] } } }],
    inArguments,
    ["0", "expect", "equals", "/a", "0"],
  ],
  [
    [{ tool: "t", expect: { matches: "^${TOKEN}$" } }],
    'variables are allowed only in arguments; in a regular expression, write "${" as "\\$\\{"',
    ["0", "expect", "matches"],
  ],
  [
    [{ tool: "t", expect: { matches: ["a", "("] } }],
    "not an RE2 regular expression: missing closing )",
    ["0", "expect", "matches", "1"],
  ],
  [
    [{ tool: "t", arguments: { a: [{ b: "${ABSENT}" }] } }],
    "the variable ABSENT is not set",
    ["0", "arguments", "a", "0", "b"],
  ],
  [[{ tool: "t", arguments: { a: "${1}" } }], '"${" must be followed by the name of a variable'],
];
for (const [raw, fault, path] of mistakes) {
  test(`planCalls of ${JSON.stringify(raw)}: ${fault}`, () => {
    const read = plan(raw);
    expect("fault" in read ? read.fault : "").toContain(fault);
    if (path) expect(read).toMatchObject({ path });
  });
}
