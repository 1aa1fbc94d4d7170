import type { BudgetVerdict } from "#check/budget-verdict.ts";
import type { PlayedCall } from "#check/played-call.ts";
import { describeBudget, describeCallProblem } from "#check/problems.ts";
import type { CheckReport, Problem } from "#check/report.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { problemText } from "./problem-text.ts";

/**
 * A check as JUnit XML that fits Ant's schema, with three suites: definitions against lock and limits,
 * calls, and budgets. Warnings are in a suite's `system-out`. `timestamp` is as `2026-07-28T09:00:00`.
 */
export function renderJunit(
  report: CheckReport,
  { timestamp }: { readonly timestamp: string },
): string {
  const server = report.server.name ?? "server";
  const suites = suitesIn(report).map((suite, id) => suiteXml(suite, { server, id, timestamp }));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

type Suite = {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly warnings: readonly string[];
};

type TestCase = {
  readonly name: string;
  readonly seconds: number;
  readonly failures: readonly Failure[];
};

type Failure = Pick<Problem, "rule" | "text">;

function suitesIn(report: CheckReport): readonly Suite[] {
  const { problems, calls, budgets } = report;
  const definitions = problems.filter(({ place }) => place === "lock" || place === "definitions");
  const overspent = problems.filter(({ place }) => place === "budgets");
  return [
    {
      name: "definitions",
      cases: definitionCases(report, definitions),
      warnings: warningsIn(definitions),
    },
    { name: "calls", cases: calls.map(callCase), warnings: [] },
    { name: "budgets", cases: budgets.map(budgetCase), warnings: warningsIn(overspent) },
  ];
}

function warningsIn(problems: readonly Problem[]): readonly string[] {
  return problems.filter(({ level }) => level === "warning").map(problemText);
}

/** One case for the server as a whole, and one for each tool with a problem. */
function definitionCases(report: CheckReport, problems: readonly Problem[]): readonly TestCase[] {
  const serverCase = report.lock_file === null ? "limits" : "lock and limits";
  const subjects = new Set<string | null>([null, ...problems.map(({ about }) => about)]);
  return [...subjects].map((subject) => ({
    name: subject ?? serverCase,
    seconds: 0,
    failures: problems.filter(({ about, level }) => about === subject && level === "error"),
  }));
}

function callCase(call: PlayedCall): TestCase {
  return {
    name: `${call.call}, round ${call.round}`,
    seconds: call.duration_ms / 1000,
    failures: call.problems.map((rule) => ({ rule, text: describeCallProblem(rule, call) })),
  };
}

function budgetCase(verdict: BudgetVerdict): TestCase {
  const { budget, tool, is_breached: isBreached, is_enforced: isEnforced } = verdict;
  return {
    name: tool === null ? budget : `${budget} for ${tool}`,
    seconds: 0,
    failures: isBreached && isEnforced ? [{ rule: "budget", text: describeBudget(verdict) }] : [],
  };
}

function suiteXml(
  { name, cases, warnings }: Suite,
  run: { readonly server: string; readonly id: number; readonly timestamp: string },
): string {
  const failures = cases.filter((one) => one.failures.length > 0).length;
  const attributes = attributesXml({
    name,
    package: `mcp-meter.${run.server}`,
    id: String(run.id),
    timestamp: run.timestamp,
    hostname: "localhost",
    tests: String(cases.length),
    failures: String(failures),
    errors: "0",
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  });
  return [
    `  <testsuite${attributes}>\n    <properties/>\n`,
    ...cases.map((one) => caseXml(one, `mcp-meter.${name}`)),
    `    <system-out>${warnings.map(escapeXml).join("\n")}</system-out>\n    <system-err/>\n  </testsuite>\n`,
  ].join("");
}

function caseXml({ name, seconds, failures }: TestCase, classname: string): string {
  const attributes = attributesXml({ classname, name, time: seconds.toFixed(3) });
  const [first] = failures;
  if (!first) return `    <testcase${attributes}/>\n`;
  const message = failures.map(({ text }) => text).join("; ");
  const failure = attributesXml({ type: first.rule, message });
  return `    <testcase${attributes}>\n      <failure${failure}>${escapeXml(message)}</failure>\n    </testcase>\n`;
}

function attributesXml(attributes: { readonly [name: string]: string }): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text that XML 1.0 allows, inside an element or an attribute, and that is safe on a screen. */
function escapeXml(text: string): string {
  return escapeUnsafe(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, (found) => `\\u${found.charCodeAt(0).toString(16)}`)
    .replaceAll(/[&<>"']/g, (found) => entities[found] ?? "");
}
