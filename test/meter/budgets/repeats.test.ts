import { expect, test } from "bun:test";
import { Repeats } from "#meter/budgets/repeats.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { callOf } from "../../support/made-calls.ts";

const reader = plainReader("somebody");

const asked = (name: string, q = 1, more: object = {}) =>
  callOf({ name, arguments: { q, ...more } });

test("tells the one after the last that is allowed, until something else is asked", () => {
  const repeats = new Repeats(2);
  const told = [
    asked("a"),
    asked("a"),
    asked("a"),
    asked("a"),
    asked("a", 2),
    asked("b"),
    asked("a"),
  ].map((call) => repeats.findExcess(call, reader));
  expect(told).toEqual([undefined, undefined, 2, 2, undefined, undefined, undefined]);
});

test("a call that is taken back does not count", () => {
  const repeats = new Repeats(1);
  const [first, second] = [asked("a"), asked("a")];
  expect(repeats.findExcess(first, reader)).toBeUndefined();
  repeats.forget(asked("a"));
  repeats.forget(first);
  expect(repeats.findExcess(second, reader)).toBeUndefined();
  expect(repeats.findExcess(asked("a"), reader)).toBe(1);
});

test("an argument that the client adds for itself is not compared", () => {
  const repeats = new Repeats(1);
  const gemini = plainReader("gemini-cli-mcp-client");
  const excess = (more: object): number | undefined =>
    repeats.findExcess(asked("a", 1, more), gemini);
  expect(excess({})).toBeUndefined();
  expect(excess({ wait_for_previous: true })).toBe(1);
  expect(excess({ wait_for_previous: false })).toBe(1);
  expect(excess({ s: "wait_for_previous" })).toBeUndefined();
});

test("asked again about the same call, it gives the same number", () => {
  const repeats = new Repeats(1);
  const [one, two] = [asked("a"), asked("a")];
  expect([one, one, two, two].map((call) => repeats.findExcess(call, reader))).toEqual([
    undefined,
    undefined,
    1,
    1,
  ]);
});

test("the order of the arguments does not matter", () => {
  const repeats = new Repeats(1);
  const calls = [
    { a: 1, b: { c: 2, d: 3 } },
    { b: { d: 3, c: 2 }, a: 1 },
  ].map((args) => callOf({ name: "a", arguments: args }));
  expect(calls.map((call) => repeats.findExcess(call, reader))).toEqual([undefined, 1]);
});
