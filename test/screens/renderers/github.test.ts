import { expect, test } from "bun:test";
import { buildCheckDocument } from "#screens/renderers/documents/check.ts";
import { renderGithub } from "#screens/renderers/github.ts";
import { fullReport } from "../../support/checks.ts";

const report = fullReport();
const document = buildCheckDocument(report);
const options = { color: false, token: "word" };

test("renderGithub shields the table and ends with one annotation", () => {
  const lines = renderGithub(document, report, options).trimEnd().split("\n");
  expect(lines[0]).toBe("::stop-commands::word");
  expect(lines.at(-2)).toBe("::word::");
  expect(lines.filter((line) => line.startsWith("::"))).toHaveLength(3);
  expect(lines.at(-1)).toStartWith("::error title=mcp-meter%3A %3A%3Aerror%3A%3Ah\\u001b");
  expect(lines.at(-1)).toContain("%0A");
});

test("renderGithub names five problems and counts the others", () => {
  const annotation = renderGithub(document, report, options).trimEnd().split("\n").at(-1) ?? "";
  expect(annotation.split("%0A")).toHaveLength(6);
  expect(annotation).toEndWith(`%0Aand ${report.problems.length - 5} more`);
});

test("renderGithub annotates with a warning when nothing failed, and not at all when all is well", () => {
  const warned = { ...report, failed: false, problems: report.problems.slice(-1) };
  expect(renderGithub(document, warned, options)).toContain("\n::warning ");
  expect(renderGithub(document, { ...report, problems: [] }, options)).toEndWith("\n::word::\n");
});
