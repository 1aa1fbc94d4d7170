import { expect, test } from "bun:test";
import { noUsage } from "#imports/logged-usage.ts";
import type { LoggedTurn } from "#imports/turns/logged-turn.ts";
import { stepTo } from "#imports/validate/step.ts";

const nothing = {
  answers: 0,
  answerTokens: 0,
  unmeasured: 0,
  texts: 0,
  otherResults: 0,
  hidden: 0,
};
const answer = { ...nothing, answers: 1, answerTokens: 900 };

function turn(rest: Partial<LoggedTurn>, usage: Partial<LoggedTurn["usage"]>): LoggedTurn {
  return {
    at: 0,
    model: "m",
    nativeCost: null,
    startsOver: false,
    entered: answer,
    ...rest,
    usage: { ...noUsage, ...usage },
  };
}

const last = turn({}, { uncached: 4_000, cacheRead: 1_000, output: 200 });

test("the growth of the prompt besides the model's own output is the native size of the answers", () => {
  const next = turn({}, { cacheRead: 5_000, cacheWrite5m: 1_240 });
  // 6,240 − 5,000 − 200.
  expect(stepTo(next, last)).toEqual({ isClean: true, native: 1_040, estimated: 900, answers: 1 });
});

test("of a little reasoning, half is taken off", () => {
  const thinking = turn({}, { uncached: 5_000, output: 200, reasoning: 80 });
  const next = turn({}, { cacheRead: 6_240 });
  expect(stepTo(next, thinking)).toMatchObject({ isClean: true, native: 1_080 });
});

const grown = { cacheRead: 6_240 };

test.each([
  ["no_answer", turn({ entered: nothing }, grown), last],
  ["other_text", turn({ entered: { ...answer, texts: 1 } }, grown), last],
  ["other_tools", turn({ entered: { ...answer, otherResults: 1 } }, grown), last],
  ["reasoning", turn({ entered: { ...answer, hidden: 1 } }, grown), last],
  ["reasoning", turn({}, grown), turn({}, { uncached: 5_000, output: 200, reasoning: 150 })],
  ["boundary", turn({ startsOver: true }, grown), last],
  ["boundary", turn({ model: "other" }, grown), last],
  ["boundary", turn({}, { cacheRead: 4_000 }), last],
  ["boundary", turn({}, { cacheRead: 5_200 }), last],
  ["unmeasured", turn({ entered: { ...answer, unmeasured: 1 } }, grown), last],
] as const)("a step is left out for %s", (reason, next, before) => {
  expect(stepTo(next, before)).toEqual({ isClean: false, reason });
});
