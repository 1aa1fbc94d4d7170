import { expect, test } from "bun:test";
import {
  renderCheckBadge,
  renderFailureBadge,
  renderProfileBadge,
} from "#screens/renderers/badge.ts";
import { fullReport } from "../../support/checks.ts";
import { madeProfile } from "../../support/made-profile.ts";

const report = fullReport();

test("a badge has the tokens of the definitions, in the colour of the verdict", () => {
  expect(JSON.parse(renderCheckBadge({ ...report, failed: false }))).toEqual({
    schemaVersion: 1,
    label: "MCP tokens",
    message: "~100 tokens",
    color: "brightgreen",
  });
  expect(JSON.parse(renderCheckBadge(report))).toEqual({
    schemaVersion: 1,
    label: "MCP tokens",
    message: "~100 tokens, failed",
    color: "red",
    isError: true,
  });
});

test("a badge of a check that could not be made states no tokens", () => {
  expect(JSON.parse(renderFailureBadge())).toMatchObject({
    message: "unknown",
    color: "lightgrey",
  });
});

test.each([
  [null, "blue"],
  ["low", "brightgreen"],
  ["medium", "yellow"],
  ["high", "orange"],
  ["critical", "red"],
] as const)("a badge of a profile with the risk %s is %s", (risk, color) => {
  const verdict = { ...madeProfile.verdict, risk };
  const definitions = { ...madeProfile.definitions, total_tokens: 1_204 };
  const parseBadge = (isEstimated: boolean) =>
    JSON.parse(
      renderProfileBadge({
        definitions,
        verdict,
        estimator: { ...madeProfile.estimator, is_estimated: isEstimated },
      }),
    );
  expect(parseBadge(true)).toEqual({
    schemaVersion: 1,
    label: "MCP tokens",
    message: "~1,204 tokens",
    color,
  });
  expect(parseBadge(false).message).toBe("1,204 tokens");
});
