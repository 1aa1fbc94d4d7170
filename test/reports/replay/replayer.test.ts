import { expect, test } from "bun:test";
import { actionRules } from "#actions/rules.ts";
import { parseBudget } from "#budgets/budget-spec.ts";
import { Replayer } from "#reports/replay/replayer.ts";

const call = { ms: 0, session: 0, kind: 0, seq: 0, input: 10, output: 90, counted: 100 };

function played(spec: string, calls: readonly (typeof call)[]) {
  const replayer = new Replayer(parseBudget(spec, actionRules));
  for (const one of calls) replayer.play(one, 0);
  const { breaches, spared_tokens: spared } = replayer.result();
  return [breaches, spared];
}

test("a budget counts the most that an unknown client may show, and spares what its model read", () => {
  const doubled = { ...call, counted: 190 };
  expect(played("150", [doubled])).toEqual([1, 90 - 100]);
  expect(played("150:truncate", [doubled])).toEqual([1, 0]);
  expect(played("150", [call])).toEqual([0, 0]);
});

test("the model reads a refusal, or the note of a shortened answer, of 100 tokens", () => {
  const large = { ...call, output: 900, counted: 910 };
  expect(played("500", [large])).toEqual([1, 900 - 100]);
  expect(played("500:truncate", [large])).toEqual([1, 910 - 500]);
  expect(played("40:truncate", [large])).toEqual([1, 900 - 100]);
  expect(played("1calls/session", [call, call])).toEqual([1, 90 - 100]);
  expect(played("1calls/session:warn", [call, call])).toEqual([1, 0]);
});

test("windows are those of UTC, also before 1970, and sessions have counters of their own", () => {
  const hourMs = 3_600_000;
  expect(played("150/hour", [call, { ...call, ms: hourMs - 1 }])[0]).toBe(1);
  expect(played("150/hour", [call, { ...call, ms: hourMs }])[0]).toBe(0);
  expect(played("150/hour", [{ ...call, ms: -1 }, call])[0]).toBe(0);
  expect(played("150/session", [call, { ...call, session: 1 }, call])[0]).toBe(1);
});
