import { expect, test } from "bun:test";
import { renderAdvice } from "#renderers/reports/advice.ts";
import { foldOf } from "../../support/made-advice.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

const plain = { color: false };
const common = { schema_version: "1.0", period: "7 days" } as const;

function blocksOf(...estimators: readonly string[]) {
  const records = estimators.flatMap((estimator) => [
    sessionRecord({ session_id: estimator, estimator }),
    callRecord({ session_id: estimator, duplicate_tokens: 900, output_tokens: 1_000 }),
  ]);
  return foldOf(records).parts();
}

test("one estimator: its name is left out; several: each has a part that names it", () => {
  const one = renderAdvice("table", { ...common, blocks: blocksOf("o200k") }, plain);
  expect(one).toStartWith("mcp-meter: advice for 7 days\n\n−~900");
  const blocks = blocksOf("o200k", "claude");
  const two = renderAdvice("markdown", { ...common, blocks }, plain);
  expect(two).toContain("advice for 7 days, counted by `o200k`");
  expect(two).toContain("advice for 7 days, counted by `claude`");
});

test("without records it is one line, and JSON is the report itself", () => {
  const report = { ...common, blocks: [] };
  expect(renderAdvice("table", report, plain)).toBe("mcp-meter: no records of 7 days\n");
  expect(JSON.parse(renderAdvice("json", report, plain))).toEqual(report);
});
