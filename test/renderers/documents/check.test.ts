import { expect, test } from "bun:test";
import { checkDocument } from "#renderers/documents/check.ts";
import { renderTerminal } from "#renderers/terminal.ts";
import { fullReport, playedCall } from "../../support/checks.ts";

const report = fullReport();

test("checkDocument has every call, every problem, the totals and the verdict", () => {
  const text = renderTerminal(checkDocument(report), { color: false });
  expect(text).toMatch(/fine\s+tool\s+10\s+1,500\s+ok\s+PASS/);
  expect(text).toMatch(/left out .* {2}tool {2,}skipped {2}SKIP/);
  expect(text).toMatch(/skipped +left out .*: because ::error/);
  expect(text).toMatch(/error .*: it takes 90 tokens; its budget is 50/);
  // The comparison with the lock has it already.
  expect(text).toMatch(/BREAKING +removed +tool removed/);
  expect(text).not.toMatch(/error +removed/);
  expect(text).toContain("calls  3 calls from calls.yaml, 1 skipped, 190 tokens, counted by o200k");
  expect(text).toMatch(/check\s+failed: \d+ errors, \d+ warnings/);
});

test("checkDocument colors verdicts", () => {
  const text = renderTerminal(checkDocument(report), { color: true });
  expect(text).toContain("\u001b[1;31mFAIL\u001b[0m");
  expect(text).toContain("\u001b[32mPASS\u001b[0m");
});

test("checkDocument counts the rows it leaves out", () => {
  const calls = Array.from({ length: 210 }, () => playedCall(1));
  const first = report.problems.find(({ place }) => place === "calls") ?? expect.unreachable();
  const problems = Array.from({ length: 201 }, (_, line) => ({ ...first, line }));
  const { base: _, ...definitions } = report.definitions;
  const lines = checkDocument({ ...report, definitions, calls, problems }).sections.filter(
    ({ kind }) => kind === "line",
  );
  expect(lines).toEqual([
    { kind: "line", text: "10 more calls; use --format json to list all" },
    { kind: "line", text: "1 more problem; use --format json to list all" },
  ]);
});

test("checkDocument without a calls file names none", () => {
  const text = renderTerminal(checkDocument({ ...report, calls_file: null }), { color: false });
  expect(text).toContain("calls  3 calls, 1 skipped, 190 tokens");
});

test("checkDocument lists a drift and an exceeded limit once", () => {
  const text = renderTerminal(checkDocument(report), { color: false });
  expect(text.match(/answer became unbounded/g)).toHaveLength(1);
  expect(text.match(/limit 10$|the limit is 10$/gm)).toHaveLength(2);
});
