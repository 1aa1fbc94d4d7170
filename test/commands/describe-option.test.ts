import { expect, test } from "bun:test";
import { describeOption } from "#commands/describe-option.ts";

test.each([
  [{ describe: "d" }, "d"],
  [{ describe: "d", default: "x" }, "d (default: x)"],
  [{ describe: "d", isRepeatable: true }, "d (repeatable)"],
  [{ describe: "d", default: "x", isRepeatable: true }, "d (default: x; repeatable)"],
])("describeOption of %j", (spec, text) => {
  expect(describeOption(spec)).toBe(text);
});
