import { expect, test } from "bun:test";
import { readInput, statusInputBytesMax } from "#commands/statusline/command.ts";
import { parseStatusLineOptions } from "#commands/statusline/index.ts";
import { thrownBy } from "../../support/folder.ts";

const parse = (options: object) =>
  parseStatusLineOptions({ options: { ...options }, operands: [], child: undefined });

test("the usual template has every field of the example, and costs on demand", () => {
  expect(parse({})).toEqual({
    template: "mcp {tokens} · {top} · {cost} · {refused}",
    isCosted: false,
    priceFile: undefined,
  });
  expect(parse({ cost: true }).isCosted).toBe(true);
  expect(parse({ template: "{tokens} {cost}" }).isCosted).toBe(true);
  expect(parse({ template: "{tokens}, {calls}" })).toMatchObject({ isCosted: false });
});

test("a field that a template cannot have is refused with the nearest one", () => {
  const rows = [
    ["{token}", "(did you mean {tokens}?)"],
    ["{top} {refusd}", `unknown field "{refusd}" (did you mean {refused}?)`],
    ["{}", `unknown field "{}"; the fields are {tokens}, {calls}, {top}, {cost}, {refused}`],
    ["{ tokens }", `unknown field "{ tokens }" (did you mean {tokens}?)`],
    ["{__proto__}", `unknown field "{__proto__}"; the fields are`],
  ] as const;
  for (const [template, sentence] of rows)
    expect(thrownBy(() => parse({ template }))).toContain(sentence);
  for (const template of ["{", "}", "{tokens", "a } b {"])
    expect(parse({ template })).toBeDefined();
});

function reader(chunks: readonly string[]) {
  const rest = chunks.map((chunk) => new TextEncoder().encode(chunk));
  return {
    read: async () => ({ value: rest.shift() }),
    cancel: async () => undefined,
    rest,
  };
}

test("the input ends with the first whole value, and nothing follows it", async () => {
  const pipe = reader(['{"session', '_id":"é', '"}', "never read"]);
  expect(await readInput(pipe)).toEqual({ session_id: "é" });
  expect(pipe.rest).toHaveLength(1);
  expect(await readInput(reader(["{", '"a":1']))).toBeUndefined();
  expect(await readInput(reader([]))).toBeUndefined();
});

const text = (bytes: number): string => `{"a":"${"x".repeat(bytes - 8)}"}`;

test(`the input has at most ${statusInputBytesMax} bytes`, async () => {
  expect(await readInput(reader([text(statusInputBytesMax)]))).toHaveProperty("a");
  expect(await readInput(reader([text(statusInputBytesMax + 1)]))).toBeUndefined();
  const halves = ["x", "x"].map((letter) => letter.repeat(statusInputBytesMax / 2));
  const pipe = reader([...halves, "x", "x"]);
  expect(await readInput(pipe)).toBeUndefined();
  expect(pipe.rest).toHaveLength(1);
});
