import { expect, test } from "bun:test";
import { checkFormats } from "#renderers/check-formats.ts";
import { checkDocument, renderCheck } from "#renderers/check.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { fullReport, playedCall } from "../support/checks.ts";

const report = fullReport();
const options = { color: false, timestamp: "2026-07-28T09:00:00", token: "word" };

test.each(checkFormats)(
  "renderCheck as %s ends with a newline and holds nothing unsafe",
  (format) => {
    const text = renderCheck(format, report, options);
    expect(text).toEndWith("\n");
    const line = text.replaceAll("\n", "");
    expect(escapeUnsafe(line)).toBe(line);
  },
);

test("renderCheck as a table shows every call, what is wrong, and the verdict", () => {
  const text = renderCheck("table", report, options);
  expect(text).toMatch(/fine\s+tool\s+10\s+1,500\s+ok\s+PASS/);
  expect(text).toContain("it takes 90 tokens; its budget is 50");
  expect(text).toContain("3 calls of calls.yaml, 190 tokens, counted by o200k");
  expect(text).toMatch(/check\s+failed: \d+ errors, \d+ warnings/);
});

test("renderCheck as JSON is the report, naming the call, its tokens and its limit", () => {
  const printed: typeof report = JSON.parse(
    renderCheck("json", { ...report, problems: [] }, options),
  );
  expect(printed.calls[0]).toMatchObject({ tokens: 90, limit: 50, problems: ["over_budget"] });
});

test("checkDocument sums up what does not fit", () => {
  const calls = Array.from({ length: 210 }, () => playedCall(1));
  const texts = checkDocument({ ...report, calls }).sections.flatMap((one) =>
    one.kind === "line" ? [one.text] : [],
  );
  expect(texts).toContain("10 more calls, see --format json");
});
