import { expect, test } from "bun:test";
import { renderCount, type Counted } from "#renderers/count.ts";

const one = { file: "a.txt", tokens: 1234, bytes: 5000, is_utf8: true };
const counted: Counted = {
  inputs: [one],
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

test("one input is its number alone, for scripts", () => {
  expect(renderCount(counted, false, plain)).toBe("1234\n");
});

test("several are a table, estimates marked, names safe", () => {
  const inputs = [one, { ...one, file: "\u001b[31mred" }];
  expect(renderCount({ ...counted, inputs, total: 2468 }, false, plain)).toBe(
    [
      "2 files",
      "",
      "file           tokens   bytes",
      "a.txt          ~1,234   5,000",
      "\\u001b[31mred  ~1,234   5,000",
      "total          ~2,468  10,000",
      "",
      "counted by  words ●○○ a rule of thumb; ~ marks estimates",
      "",
    ].join("\n"),
  );
});

test("exact numbers are not marked", () => {
  const estimation = { ...counted.estimation, confidence: "high" } as const;
  const table = renderCount({ ...counted, inputs: [one, one], estimation }, false, plain);
  expect(table).not.toContain("~");
});

test("JSON says how the numbers were made", () => {
  expect(JSON.parse(renderCount(counted, true, plain))).toEqual({
    inputs: [one],
    total: 1234,
    estimator: "words",
    method: "words",
    encoding: "words",
    confidence: "low",
    is_estimated: true,
    error: "a rule of thumb",
  });
});
