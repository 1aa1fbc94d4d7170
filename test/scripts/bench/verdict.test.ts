import { expect, test } from "bun:test";
import {
  atLeast,
  atMost,
  exactly,
  isMissed,
  stretch,
  under,
} from "../../../scripts/bench/verdict.ts";

test.each([
  ["at most, on the limit", atMost("added", 25, 25, "ms").passed, true],
  ["at most, one past it", atMost("added", 25.01, 25, "ms").passed, false],
  ["at least, on the limit", atLeast("rate", 100, 100, "/s").passed, true],
  ["at least, one short", atLeast("rate", 99, 100, "/s").passed, false],
  ["under, on the limit", under("slope", 0.2, 0.2, "MB/min").passed, false],
  ["under, below it", under("slope", -1, 0.2, "MB/min").passed, true],
  ["exactly", exactly("records", 10, 10).passed, true],
  ["one too many", exactly("records", 11, 10).passed, false],
])("%s", (_, passed, expected) => {
  expect(passed).toBe(expected);
});

test("what could not be measured never passes", () => {
  const verdicts = [
    atMost("a", Number.NaN, 1, "ms"),
    atLeast("b", Number.NaN, 1, "ms"),
    under("c", Number.NaN, 1, "ms"),
    exactly("d", Number.NaN, 1),
  ];
  expect(verdicts.map(({ passed, measured }) => [passed, measured])).toEqual(
    verdicts.map(() => [false, "-"]),
  );
});

test("a verdict says its goal and what was measured with units", () => {
  expect(atLeast("messages", 148_200.4, 100_000, "/s")).toEqual({
    goal: "messages ≥ 100,000 /s",
    measured: "148,200 /s",
    passed: true,
  });
});

test("a wish that is missed fails no run, a goal does", () => {
  const [miss, pass] = [atMost("p50", 3, 2, "×"), atMost("p50", 2, 2, "×")];
  expect([miss, pass, stretch(miss), stretch(pass)].map(isMissed)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(stretch(miss)).toMatchObject({ goal: "stretch: p50 ≤ 2 ×", passed: false });
});
