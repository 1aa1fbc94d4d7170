import { expect, test } from "bun:test";
import { tokensByTool, toolKey, withFigures } from "#dash/views/tool-figures.ts";
import { callRecord } from "../../support/made-records.ts";
import { dashModel } from "../../support/dash-model.ts";
import { noSums } from "#reports/sums.ts";

test("tokens of a tool are ascending, without refused calls", () => {
  const model = dashModel([
    callRecord({ seq: 1, server: "a", tool: "t", input_tokens: 1, output_tokens: 99 }),
    callRecord({ seq: 2, server: "a", tool: "t", input_tokens: 1, output_tokens: 9 }),
    callRecord({ seq: 3, server: "a", tool: "t", outcome: "refused", output_tokens: 5 }),
    callRecord({ seq: 4, server: "b", tool: "t", input_tokens: 2, output_tokens: 5 }),
  ]);
  const tokens = tokensByTool(model.calls, [0, 1, 2, 3]);
  expect([...tokens]).toEqual([
    [toolKey("a", "t"), [10, 100]],
    [toolKey("b", "t"), [7]],
  ]);
});

test("the average is of answered calls; without one there are no figures", () => {
  const row = { sessions: 1, ...noSums(), context_tokens: 0, share: 0 };
  const calls = { calls: 3, refused: 1, refused_tokens: 30, total_tokens: 130 };
  expect(withFigures({ ...row, ...calls }, [40, 60])).toMatchObject({
    average_tokens: 50,
    p95_tokens: 60,
  });
  expect(withFigures({ ...row, total_tokens: 0 }, undefined)).toMatchObject({
    average_tokens: null,
    p95_tokens: null,
  });
});
