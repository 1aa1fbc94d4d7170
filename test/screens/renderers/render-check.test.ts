import { expect, test } from "bun:test";
import { checkFormats } from "#screens/renderers/formats.ts";
import {
  buildCheckPrintout,
  buildLockPrintout,
  renderCheck,
  renderFailure,
} from "#screens/renderers/render-check.ts";
import { renderComment } from "#screens/renderers/check-comment.ts";
import { reportCheck } from "#check/report.ts";
import {
  budgetOf,
  failureOf,
  fullReport,
  madeCallPrices,
  playedCall,
} from "../../support/checks.ts";
import { findUnsafeText } from "../../support/hostile.ts";

const report = fullReport();
const printout = buildCheckPrintout(report);
const options = { color: false, timestamp: "2026-07-28T09:00:00", token: "word" };

test.each(checkFormats)(
  "renderCheck as %s ends its last line and holds nothing unsafe",
  (format) => {
    const text = renderCheck(format, printout, options);
    expect(text).toEndWith("\n");
    expect(findUnsafeText(text.replaceAll("\n", ""))).toEqual([]);
  },
);

test("renderCheck as JSON is the report", () => {
  const printed: typeof report = JSON.parse(renderCheck("json", printout, options));
  expect(printed.calls[0]).toMatchObject({ tokens: 90, limit: 50, problems: ["over_budget"] });
  expect(printed.problems).toHaveLength(report.problems.length);
});

test("renderCheck of a lock is its own document, without calls, and JSON as the lock's report", () => {
  const lock = buildLockPrintout(report, false);
  expect(JSON.parse(renderCheck("json", lock, options))).toEqual(
    JSON.parse(JSON.stringify(report.definitions)),
  );
  expect(renderCheck("table", lock, options)).not.toContain("PASS");
  expect(renderCheck("markdown", lock, options)).toStartWith("<!-- mcp-meter check: ");
  const written = buildLockPrintout(report, true);
  expect(renderCheck("markdown", written, options)).toContain("- **result**: ");
});

test("renderCheck says in each row whether its budget holds, and by how much it does not", () => {
  const calls = [
    playedCall(90, { name: "a", tool: "search", budgetTokens: 100 }),
    playedCall(95, { name: "b", tool: "search", budgetTokens: 100 }),
    playedCall(70, { name: "c", tool: "read" }),
  ];
  const budgets = [
    budgetOf({ spec: "search=92", tool: "search", limit: 92 }),
    budgetOf({ spec: "200/session:warn", tool: null, per: "session", limit: 200, action: "warn" }),
  ];
  const { definitions } = report;
  const checked = reportCheck({ definitions, hasLock: false, callsFile: "c", calls, budgets });
  const rows = renderCheck("table", buildCheckPrintout(checked), options)
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(rows.filter(([first = ""]) => ["a", "b", "c"].includes(first))).toEqual([
    ["a", "search", "90", "92, ok", expect.any(String), "ok", "PASS"],
    ["b", "search", "95", "92, over by 3", expect.any(String), "ok", "FAIL"],
    ["c", "read", "70", expect.any(String), "ok", "PASS"],
  ]);
  expect(rows).toContainEqual(["search=92", "search", "95 tokens", "92", "over by 3"]);
  expect(rows).toContainEqual(["200/session:warn", "(all)", "255 tokens", "200", "over by 55"]);
});

test("renderCheck prints an amount of money with two digits, beside its limit", () => {
  const calls = ["t", "paid"].map((tool) =>
    playedCall(1_001, { name: `call of ${tool}`, tool }, 1, madeCallPrices),
  );
  const budget = budgetOf({ spec: "$0.012", unit: "dollars", limit: 12_000_000 });
  const session = { spec: "$1/session", per: "session", limit: 1_000_000_000 } as const;
  const checked = reportCheck({
    definitions: report.definitions,
    hasLock: false,
    callsFile: "c",
    calls,
    budgets: [budget, { ...budget, ...session }],
    prices: madeCallPrices,
  });
  const print = (format: (typeof checkFormats)[number]): string =>
    renderCheck(format, buildCheckPrintout(checked), options);
  const excess = "budget $0.012: the most expensive call costs ~$0.015; the limit is $0.012";
  for (const format of ["junit", "sarif", "github"] as const)
    expect(print(format)).toContain(excess);
  const rows = print("table")
    .split("\n")
    .map((line) => line.split(/ {2,}/).join(" | "));
  expect(rows.filter((row) => /^(?:call of|\$)/.test(row))).toEqual([
    "call of t | t | 1,001 | ~$0.010 of $0.012, ok | 1,500 | ok | PASS",
    "call of paid | paid | 1,001 | ~$0.015 of $0.012, over by ~$0.0030 | 1,500 | ok | FAIL",
    "$0.012 | (all) | ~$0.015 | $0.012 | over by ~$0.0030",
    "$1/session | (all) | ~$0.025 | $1 | ok",
  ]);
  expect(print("table")).toMatch(/^calls +failed: 2 calls.*, counted by o200k, priced by made$/m);
});

test("of limits in tokens and dollars, a row shows the one exceeded, or else the one nearest", () => {
  const calls = [1_001, 1_200].map((tokens) =>
    playedCall(tokens, { name: `call of ${tokens}`, tool: "t" }, 1, madeCallPrices),
  );
  const budgets = [
    budgetOf({ spec: "$0.013", unit: "dollars", limit: 13_000_000 }),
    budgetOf({ spec: "1100", limit: 1_100 }),
  ];
  const { definitions } = report;
  const facts = { definitions, hasLock: false, callsFile: "c", calls, budgets };
  const checked = reportCheck({ ...facts, prices: madeCallPrices });
  const rows = renderCheck("table", buildCheckPrintout(checked), options).split("\n");
  const limits = rows
    .filter((row) => row.startsWith("call of"))
    .map((row) => row.split(/ {2,}/)[3]);
  expect(limits).toEqual(["1,100, ok", "1,100, over by 100"]);
});

const failure = failureOf("Cannot find it \u001b[2J ::error::@x <b> ]]>\n- y");

test.each(checkFormats)(
  "renderFailure as %s is whole and safe; as a table it is on stderr",
  (format) => {
    const text = renderFailure(format, failure, options);
    if (format === "table") expect(text).toBe("");
    else expect(text).toEndWith("\n");
    expect(findUnsafeText(text.replaceAll("\n", ""))).toEqual([]);
    expect(text.split("\n").filter((line) => line.startsWith("::"))).toHaveLength(
      format === "github" ? 1 : 0,
    );
  },
);

const makeSection = (characters: number) =>
  ({ kind: "line", text: "x".repeat(characters) }) as const;

test("renderComment begins with a hidden line that names the lock and cannot be ended by it", () => {
  const text = renderComment({ title: "Passed", sections: [] }, "a/--> <b>.lock");
  expect(text).toBe("<!-- mcp-meter check: a/-%2D%3E%20%3Cb%3E.lock -->\n\n### Passed\n");
});

test("renderComment has as many characters as GitHub accepts, and leaves whole sections out beyond", () => {
  const title = "Passed";
  const empty = renderComment({ title, sections: [makeSection(0)] }, "a").length;
  const exact = renderComment({ title, sections: [makeSection(65_000 - empty)] }, "a");
  expect(exact).toHaveLength(65_000);
  expect(exact).not.toContain("Left out");
  expect(renderComment({ title, sections: [makeSection(65_001 - empty)] }, "a")).toContain(
    "Left out",
  );
  const sections = [makeSection(40_000), makeSection(40_000 + 1), makeSection(9)];
  const cut = renderComment({ title, sections }, "a");
  expect(cut.length).toBeLessThanOrEqual(65_000);
  expect(cut.split("\n\n").map((block) => block.length)).toEqual([27, 10, 40_000, 9, 89]);
  expect(cut).toEndWith(
    "_Left out 1 section, because the comment would be too long; --format json has them all._\n",
  );
});

test("renderComment fits into a variable of 128 KiB with its name, whatever the script of its texts", () => {
  const sections = [{ kind: "line", text: "日".repeat(60_000) }, makeSection(9)] as const;
  const text = renderComment({ title: "Passed", sections }, "a");
  expect(new TextEncoder().encode(`COMMENT=${text}`).length).toBeLessThan(128 * 1024);
  expect(text).toContain("Left out 1 section");
});
