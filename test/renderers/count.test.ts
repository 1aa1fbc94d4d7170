import { expect, test } from "bun:test";
import { renderCount } from "#renderers/count.ts";
import type { Counted } from "#renderers/documents/count.ts";

const input = { file: "a.txt", tokens: 1234, bytes: 5000, is_utf8: true, is_definitions: false };
const counted: Counted = {
  inputs: [input],
  total: 1234,
  estimation: {
    id: "words",
    method: "words",
    encoding: "words",
    confidence: "low",
    error: "a rule of thumb",
  },
};
const plain = { color: false };

test("renderCount of one input is its number alone, for scripts", () => {
  expect(renderCount("table", counted, plain)).toBe("1234\n");
});

test("renderCount of several inputs is a table", () => {
  const text = renderCount("table", { ...counted, inputs: [input, input] }, plain);
  expect(text).toStartWith("2 files\n");
});

test("renderCount as JSON says how the numbers were made", () => {
  expect(JSON.parse(renderCount("json", counted, plain))).toEqual({
    inputs: [input],
    total: 1234,
    estimator: "words",
    method: "words",
    encoding: "words",
    confidence: "low",
    is_estimated: true,
    error: "a rule of thumb",
  });
});
