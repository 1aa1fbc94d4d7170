import { expect, test } from "bun:test";
import { messageEvent } from "#importers/opencode/message-event.ts";
import type { JsonObject } from "#wire/json.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const tokens = { input: 1, output: 2, reasoning: 0, cache: { read: 3, write: 4 }, total: 10 };
const event = (data: JsonObject) => messageEvent(data, { id: "msg", session: "ses" }, tools);

test("a message sums up its steps, and a copy of it has the same times and tokens", () => {
  const time = { created: 5, completed: 9 };
  expect(event({ modelID: "m", tokens, time, cost: 0.5 })).toMatchObject({
    at: 5,
    conversation: "ses",
    keys: { message: "msg", request: null, line: null, copy: "5 9 1 3 4 0 2 0" },
    model: "m",
    merge: "fallback",
    nativeCost: 0.5,
  });
});

test("a message that has not ended is no copy, and an odd cost is none", () => {
  for (const cost of ["1", -1, Number.NaN, null]) {
    const found = event({ tokens, time: { created: 5 }, cost });
    expect(found?.keys).not.toHaveProperty("copy");
    expect(found).not.toHaveProperty("nativeCost");
  }
  expect(event({ time: { created: 5, completed: 9 } })).toBeUndefined();
});
