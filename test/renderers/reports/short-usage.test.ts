import { expect, test } from "bun:test";
import { renderShortUsage } from "#renderers/reports/short-usage.ts";
import { makeReport } from "#reports/make-report.ts";
import { madeUsage } from "../../support/made-usage.ts";
import { usageFacts, usagePlan } from "../../support/usage-facts.ts";

const report = makeReport(
  usageFacts(madeUsage().flat()),
  usagePlan({ tables: [{ by: ["server"], top: 2, order: undefined }] }),
);

test("has few columns, no explanation of others, and each note once", () => {
  const text = renderShortUsage(report, 110);
  const heads = text.split("\n").filter((line) => line.startsWith("server"));
  expect(heads.map((line) => line.split(/ {2,}/))).toEqual(
    report.blocks.map(() => [
      "server",
      "sessions",
      "in context",
      "calls",
      "errors",
      "tokens",
      "share",
    ]),
  );
  expect(text).not.toContain("definitions  ");
  expect(text.match(/^counted by .* o200k/gm)).toHaveLength(1);
  const twice = renderShortUsage({ ...report, blocks: [...report.blocks, ...report.blocks] }, 110);
  expect(twice.match(/^counted by /gm)).toEqual(text.match(/^counted by /gm));
});

test("fits its columns by shorter names", () => {
  for (const line of renderShortUsage(report, 70).split("\n")) {
    if (/^(?:server|total|\S+ +\d)/.test(line)) expect(line.length).toBeLessThanOrEqual(72);
  }
});
