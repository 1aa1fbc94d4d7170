import { expect, test } from "bun:test";
import { parseCheckOutput } from "#commands/report-targets.ts";
import { UserError } from "#errors.ts";

test("parseCheckOutput reads a format to print and formats with files", () => {
  expect(parseCheckOutput({}).reports).toEqual([]);
  expect(
    parseCheckOutput({ format: ["github", "junit=a.xml", "sarif=out/b=c.sarif"] }).reports,
  ).toEqual([
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
])("parseCheckOutput refuses %j", (specs, sentence) => {
  expect(() => parseCheckOutput({ format: specs })).toThrow(UserError);
  expect(() => parseCheckOutput({ format: specs })).toThrow(sentence);
});

test("parseCheckOutput adds JSON to the reports with files, and has the file of the one that is printed", () => {
  const { reports, output } = parseCheckOutput({ format: "junit=a.xml", json: true, output: "o" });
  expect(reports).toEqual([
    { format: "junit", file: "a.xml" },
    { format: "json", file: undefined },
  ]);
  expect(output).toBe("o");
});
