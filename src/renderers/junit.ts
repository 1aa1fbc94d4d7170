import type { CheckReport, Problem } from "#check/report.ts";
import type { BudgetVerdict } from "#check/budget-verdict.ts";
import { describeBudget, describeCallProblem } from "#check/problems.ts";
import type { PlayedCall } from "#check/played-call.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";

type Case = {
  readonly name: string;
  readonly seconds: number;
  readonly failures: readonly { readonly rule: string; readonly text: string }[];
};

/**
 * A check as JUnit's XML, in the form Ant's schema has: one suite for what was compared with the lock and
 * with limits, one for the calls, one for the budgets. Warnings are printed in `system-out`.
 */
export function checkAsJunit(report: CheckReport, timestamp: string): string {
  const { problems } = report;
  const at = (...places: readonly Problem["place"][]): readonly Problem[] =>
    problems.filter(({ place }) => places.includes(place));
  const suites = [
    suite("definitions", casesByTool(report, at("lock", "definitions")), at("lock", "definitions")),
    suite("calls", report.calls.map(caseOf), []),
    suite("budgets", report.budgets.map(budgetCase), at("budgets")),
  ];
  const name = report.server.name ?? "server";
  const bodies = suites.map((make, id) => make({ server: name, id, timestamp }));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${bodies.join("")}</testsuites>\n`;
}

type Head = { readonly server: string; readonly id: number; readonly timestamp: string };

function suite(
  name: string,
  cases: readonly Case[],
  told: readonly Problem[],
): (head: Head) => string {
  return ({ server, id, timestamp }) => {
    const failures = cases.filter((one) => one.failures.length > 0).length;
    const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
    const warnings = told.filter(({ level }) => level === "warning").map(warningLine);
    const attributes = [
      ["name", name],
      ["package", `mcp-meter.${server}`],
      ["id", String(id)],
      ["timestamp", timestamp],
      ["hostname", "localhost"],
      ["tests", String(cases.length)],
      ["failures", String(failures)],
      ["errors", "0"],
      ["time", seconds.toFixed(3)],
    ] as const;
    return [
      `  <testsuite${written(attributes)}>\n    <properties/>\n`,
      ...cases.map((one) => caseText(one, `mcp-meter.${name}`)),
      `    <system-out>${warnings.map(xml).join("\n")}</system-out>\n    <system-err/>\n  </testsuite>\n`,
    ].join("");
  };
}

function caseText({ name, seconds, failures }: Case, classname: string): string {
  const attributes = [
    ["classname", classname],
    ["name", name],
    ["time", seconds.toFixed(3)],
  ] as const;
  const [first] = failures;
  if (!first) return `    <testcase${written(attributes)}/>\n`;
  const texts = failures.map(({ text }) => text);
  const failure = written([
    ["type", first.rule],
    ["message", texts.join("; ")],
  ]);
  return `    <testcase${written(attributes)}>\n      <failure${failure}>${xml(texts.join("; "))}</failure>\n    </testcase>\n`;
}

/** The server as a whole is one case, and each tool with a problem another. */
function casesByTool(report: CheckReport, problems: readonly Problem[]): Case[] {
  const names = new Set<string | null>([null, ...problems.map(({ about }) => about)]);
  const title = report.lock_file === null ? "limits" : "lock and limits";
  return [...names].map((about) => ({
    name: about ?? title,
    seconds: 0,
    failures: problems.filter((one) => one.about === about && one.level === "error"),
  }));
}

function caseOf(call: PlayedCall): Case {
  return {
    name: `${call.call}, round ${call.round}`,
    seconds: call.duration_ms / 1000,
    failures: call.problems.map((rule) => ({ rule, text: describeCallProblem(rule, call) })),
  };
}

function budgetCase(verdict: BudgetVerdict): Case {
  const { budget, tool, is_breached: isBreached, is_enforced: isEnforced } = verdict;
  return {
    name: tool === null ? budget : `${budget} for ${tool}`,
    seconds: 0,
    failures: isBreached && isEnforced ? [{ rule: "budget", text: describeBudget(verdict) }] : [],
  };
}

function warningLine({ about, text }: Problem): string {
  return `${about === null ? "" : `${about}: `}${text}`;
}

function written(attributes: readonly (readonly [name: string, value: string])[]): string {
  return attributes.map(([name, value]) => ` ${name}="${xml(value)}"`).join("");
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text that XML 1.0 allows and that ends nothing; what may move text on a screen is escaped visibly. */
function xml(text: string): string {
  return escapeUnsafe(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, (found) => `\\u${found.charCodeAt(0).toString(16)}`)
    .replaceAll(/[&<>"']/g, (found) => entities[found] ?? "");
}
