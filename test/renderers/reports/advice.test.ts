import { expect, test } from "bun:test";
import { renderAdvice } from "#renderers/reports/advice.ts";
import { AdviceFold } from "#reports/advice/advice-fold.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

const plain = { color: false };
const common = { schema_version: "1.0", period: "7 days" } as const;

function blocksOf(...estimators: readonly string[]) {
  const fold = new AdviceFold();
  for (const estimator of estimators) {
    fold.add(sessionRecord({ session_id: estimator, estimator }));
    fold.add(callRecord({ session_id: estimator, duplicate_tokens: 900, output_tokens: 1_000 }));
  }
  return fold.parts();
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
