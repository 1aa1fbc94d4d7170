import { describeAnswer } from "#meter/calls/call.ts";
import { expect, test } from "bun:test";
import { describeRequest } from "#tokens/cost/describe-calls.ts";
import { countParts } from "#tokens/cost/count-parts.ts";
import { makeAnswerContext } from "#tokens/cost/visibility.ts";
import { makeCountingReader } from "../../support/readers.ts";

const reader = makeCountingReader();
const reading = makeAnswerContext(reader, describeRequest("tools/call", { name: "search" }));
const result = (characters: number) => ({
  content: [{ type: "text", text: "x".repeat(characters) }],
});
const error = (characters: number) => ({ message: "x".repeat(characters) });

test.each([
  [{ result: result(9) }, 9],
  [{ error: error(7) }, 7],
  [{ result: result(9), error: error(7) }, 9],
  [{ result: result(7), error: error(9) }, 9],
  [{}, 0],
])("the answer %j costs %i characters", (answer, characters) => {
  const { visible } = describeAnswer("tools/call", answer, reading);
  expect(countParts(visible, reader)).toBe(characters);
});
