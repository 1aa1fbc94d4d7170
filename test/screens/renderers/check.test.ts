import { expect, test } from "bun:test";
import { checkFormats } from "#screens/renderers/formats.ts";
import {
  checkPrintout,
  lockPrintout,
  renderCheck,
  renderFailure,
} from "#screens/renderers/check.ts";
import { failureOf, fullReport } from "../../support/checks.ts";
import { unsafeIn } from "../../support/hostile.ts";

const report = fullReport();
const printout = checkPrintout(report);
const options = { color: false, timestamp: "2026-07-28T09:00:00", token: "word" };

test.each(checkFormats)(
  "renderCheck as %s ends its last line and holds nothing unsafe",
  (format) => {
    const text = renderCheck(format, printout, options);
    expect(text).toEndWith("\n");
    expect(unsafeIn(text.replaceAll("\n", ""))).toEqual([]);
  },
);

test("renderCheck as JSON is the report", () => {
  const printed: typeof report = JSON.parse(renderCheck("json", printout, options));
  expect(printed.calls[0]).toMatchObject({ tokens: 90, limit: 50, problems: ["over_budget"] });
  expect(printed.problems).toHaveLength(report.problems.length);
});

test("renderCheck of a lock is its own document, without calls, and JSON as the lock's report", () => {
  const lock = lockPrintout(report, false);
  expect(JSON.parse(renderCheck("json", lock, options))).toEqual(
    JSON.parse(JSON.stringify(report.definitions)),
  );
  expect(renderCheck("table", lock, options)).not.toContain("PASS");
  expect(renderCheck("markdown", lock, options)).toStartWith("<!-- mcp-meter check: ");
  const written = lockPrintout(report, true);
  expect(renderCheck("markdown", written, options)).toContain("- **result**: ");
});

const failure = failureOf("Cannot find it \u001b[2J ::error::@x <b> ]]>\n- y");

test.each(checkFormats)(
  "renderFailure as %s is whole and safe; as a table it is on stderr",
  (format) => {
    const text = renderFailure(format, failure, options);
    if (format === "table") expect(text).toBe("");
    else expect(text).toEndWith("\n");
    expect(unsafeIn(text.replaceAll("\n", ""))).toEqual([]);
    expect(text.split("\n").filter((line) => line.startsWith("::"))).toHaveLength(
      format === "github" ? 1 : 0,
    );
  },
);
