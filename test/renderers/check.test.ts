import { expect, test } from "bun:test";
import { checkFormats } from "#renderers/formats.ts";
import { renderCheck } from "#renderers/check.ts";
import { fullReport } from "../support/checks.ts";
import { unsafeIn } from "../support/hostile.ts";

const report = fullReport();
const options = { color: false, timestamp: "2026-07-28T09:00:00", token: "word" };

test.each(checkFormats)(
  "renderCheck as %s ends its last line and holds nothing unsafe",
  (format) => {
    const text = renderCheck(format, report, options);
    expect(text).toEndWith("\n");
    expect(unsafeIn(text.replaceAll("\n", ""))).toEqual([]);
  },
);

test("renderCheck as JSON is the report", () => {
  const printed: typeof report = JSON.parse(renderCheck("json", report, options));
  expect(printed.calls[0]).toMatchObject({ tokens: 90, limit: 50, problems: ["over_budget"] });
  expect(printed.problems).toHaveLength(report.problems.length);
});
