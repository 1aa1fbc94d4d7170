import { expect, test } from "bun:test";
import { parseReportOptions, reportOptionGroups } from "#commands/report/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: ["a"], child: undefined };

test("report has a format and its short form, a flag", () => {
  const [output] = reportOptionGroups;
  expect(Object.keys(output?.options ?? {})).toEqual(["summary", "json"]);
  expect(output?.options["json"]?.value).toBeUndefined();
});

test("parseReportOptions reads the format; --json is --summary json", () => {
  expect(parseReportOptions(args)).toEqual({ format: "table", files: ["a"] });
  expect(parseReportOptions({ ...args, options: { summary: "markdown" } }).format).toBe("markdown");
  expect(parseReportOptions({ ...args, options: { json: true } }).format).toBe("json");
});

test("parseReportOptions takes names after -- that begin with a dash, and requires one", () => {
  expect(parseReportOptions({ ...args, child: ["-b"] }).files).toEqual(["a", "-b"]);
  expect(thrownBy(() => parseReportOptions({ ...args, operands: [] }))).toStartWith(
    "missing record file; name one or more",
  );
});
