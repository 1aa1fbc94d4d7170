import { expect, test } from "bun:test";
import { callRow } from "#dash/views/call-row.ts";
import { callRecord } from "../../support/made-records.ts";
import { dashModel } from "../../support/dash-model.ts";

test("a call has its local time to the second, and its place in the session", () => {
  const call = { ts: "2026-11-13T22:59:41.500Z", input_tokens: 4, output_tokens: 6 };
  const model = dashModel([callRecord({ seq: 7, ...call, method: "resources/read", tool: null })]);
  const beganMs = Date.parse("2026-11-13T22:59:00.000Z");
  expect(callRow(model.calls, 0, { zone: model.zone, beganMs })).toMatchObject({
    seq: 7,
    ts: call.ts,
    time: "23:59:41",
    offset_ms: 41_500,
    tool: "(resources/read)",
    total_tokens: 10,
  });
});
