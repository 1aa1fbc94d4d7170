import { expect, test } from "bun:test";
import { parseReportTargets } from "#commands/report-targets.ts";
import { UserError } from "#errors.ts";

test("parseReportTargets reads a format to print and formats with files", () => {
  expect(parseReportTargets([])).toEqual([]);
  expect(parseReportTargets(["github", "junit=a.xml", "sarif=out/b=c.sarif"])).toEqual([
    { format: "github", file: undefined },
    { format: "junit", file: "a.xml" },
    { format: "sarif", file: "out/b=c.sarif" },
  ]);
});

test.each([
  [["xml"], "--format must be one of table, markdown, json, junit, sarif, github, badge"],
  [["junit="], "=FILE"],
  [["json", "table"], "Cannot print two reports; write one to a file, as in --format table=FILE"],
  [["json=a", "table=a"], 'Cannot write two reports to "a"'],
])("parseReportTargets refuses %j", (specs, sentence) => {
  expect(() => parseReportTargets(specs)).toThrow(UserError);
  expect(() => parseReportTargets(specs)).toThrow(sentence);
});
