import { expect, test } from "bun:test";
import { reportOptions } from "#commands/report/options.ts";

test("report takes a format and its short form, a flag", () => {
  expect(Object.keys(reportOptions)).toEqual(["summary", "json"]);
  expect(reportOptions["json"]?.value).toBeUndefined();
});
