import { expect, test } from "bun:test";
import { toolRowsMax } from "#limits.ts";
import { plant, twoTools, usageOf } from "../../support/made-advice.ts";

test("sizes are of calls of tools that have an answer", () => {
  const { sizes } = usageOf("garden", [
    plant(),
    plant({ outcome: "tool_error" }),
    plant({ outcome: "refused" }),
    plant({ tool: null, method: "resources/read" }),
    plant({ method: "prompts/get" }),
  ]);
  expect([...sizes].map(([tool, { calls }]) => [tool, calls])).toEqual([["plant", 2]]);
});

test("tools beyond the limit have no sizes", () => {
  const calls = Array.from({ length: toolRowsMax + 2 }, (_, at) => plant({ tool: `t${at}` }));
  expect(usageOf("garden", calls).sizes.size).toBe(toolRowsMax);
});

test("the oldest and the newest whole list of tools, in any order", () => {
  const [old, newer] = ["2026-09-01T00:00:00.000Z", "2026-09-02T00:00:00.000Z"];
  const records = [
    twoTools({ ts: newer, total_tokens: 2 }),
    twoTools({ ts: "2026-09-03T00:00:00.000Z", is_complete: false }),
    twoTools({ ts: old, total_tokens: 1 }),
    twoTools({ ts: "2026-09-04T00:00:00.000Z", total_tokens: 0 }),
  ];
  const expected = { oldest: { ts: old, tokens: 1 }, newest: { ts: newer, tokens: 2 } };
  expect(usageOf("garden", records).definitions).toEqual(expected);
  expect(usageOf("garden", records.toReversed()).definitions).toEqual(expected);
  expect(usageOf("garden", [plant()]).definitions).toBeUndefined();
});
