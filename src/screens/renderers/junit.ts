import type { BudgetVerdict, JudgedCall } from "#check/judge-calls.ts";
import { describeBudget, describeCallProblem } from "#check/describe-problems.ts";
import type { CheckReport, Problem, CheckFailure } from "#check/report.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { describeProblem } from "./documents/shared-texts.ts";

// The output conforms to Ant's schema. The schema has no element for warnings, so `system-out` contains them.
export function renderJunit(report: CheckReport, { timestamp }: JunitOptions): string {
  const server = report.server.name ?? "server";
  const suites = buildSuites(report).filter(({ cases }) => cases.length > 0);
  return renderSuites(suites.map((suite, id) => renderSuite(suite, { server, id, timestamp })));
}

export function renderJunitFailure(
  { error, exit_code: code }: CheckFailure,
  { timestamp }: JunitOptions,
): string {
  const failure = { rule: `exit_code_${code}`, text: error };
  const suite: Suite = {
    name: "check",
    cases: [{ name: "the server can be checked", seconds: 0, failures: [failure], isError: true }],
    warnings: [],
  };
  return renderSuites([renderSuite(suite, { server: "server", id: 0, timestamp })]);
}

type JunitOptions = { readonly timestamp: string };

type Suite = {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly warnings: readonly string[];
};

type TestCase = {
  readonly name: string;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  readonly isError?: boolean;
  readonly skipped?: string | null;
};

type Failure = { readonly rule: string; readonly text: string };

const definitionPlaces: ReadonlySet<Problem["place"]> = new Set(["lock", "definitions", "schemas"]);

function buildSuites(report: CheckReport): readonly Suite[] {
  const { problems, calls, budgets } = report;
  const definitionProblems = problems.filter((problem) => definitionPlaces.has(problem.place));
  return [
    {
      name: "definitions",
      cases: buildDefinitionCases(report, definitionProblems),
      warnings: listWarnings(definitionProblems),
    },
    {
      name: "calls",
      cases: [...calls.map(buildCallCase), ...buildListCases(problems)],
      warnings: listWarnings(problems.filter((problem) => problem.place === "answers")),
    },
    {
      name: "budgets",
      cases: budgets.map(buildBudgetCase),
      warnings: listWarnings(problems.filter((problem) => problem.place === "budgets")),
    },
  ];
}

function listWarnings(problems: readonly Problem[]): readonly string[] {
  return problems.filter(({ level }) => level === "warning").map(describeProblem);
}

function buildDefinitionCases(
  report: CheckReport,
  problems: readonly Problem[],
): readonly TestCase[] {
  const serverCase = report.lock_file === null ? "limits" : "lock and limits";
  const subjects = new Set<string | null>([null, ...problems.map(({ about }) => about)]);
  return [...subjects].map((subject) => ({
    name: subject ?? serverCase,
    seconds: 0,
    failures: problems.filter(({ about, level }) => about === subject && level === "error"),
  }));
}

function buildCallCase(call: JudgedCall): TestCase {
  return {
    name: `${call.call}, round ${call.round}`,
    seconds: call.duration_ms / 1000,
    failures: call.problems.map((rule) => ({ rule, text: describeCallProblem(rule, call) })),
    skipped: call.skipped,
  };
}

function buildListCases(problems: readonly Problem[]): readonly TestCase[] {
  const listProblems = problems.filter((problem) => problem.place === "list");
  if (listProblems.length === 0) return [];
  const failures = listProblems.map((problem) => ({
    rule: problem.rule,
    text: describeProblem(problem),
  }));
  return [{ name: "the lists of the server", seconds: 0, failures }];
}

function buildBudgetCase(verdict: BudgetVerdict): TestCase {
  const { budget, tool, is_breached: isBreached, is_enforced: isEnforced } = verdict;
  return {
    name: tool === null ? budget : `${budget} for ${tool}`,
    seconds: 0,
    failures: isBreached && isEnforced ? [{ rule: "budget", text: describeBudget(verdict) }] : [],
  };
}

function renderSuites(suites: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function renderSuite(
  { name, cases, warnings }: Suite,
  context: { readonly server: string; readonly id: number; readonly timestamp: string },
): string {
  const failed = cases.filter((testCase) => testCase.failures.length > 0);
  const errors = failed.filter(({ isError }) => isError === true).length;
  const attributes = renderAttributes({
    name,
    package: `mcp-meter.${context.server}`,
    id: String(context.id),
    timestamp: context.timestamp,
    hostname: "localhost",
    tests: String(cases.length),
    failures: String(failed.length - errors),
    errors: String(errors),
    skipped: String(cases.filter(({ skipped = null }) => skipped !== null).length),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  });
  return [
    `  <testsuite${attributes}>\n    <properties/>\n`,
    ...makeNamesUnique(cases).map((testCase) => renderCase(testCase, `mcp-meter.${name}`)),
    `    <system-out>${warnings.map(escapeXml).join("\n")}</system-out>\n    <system-err/>\n  </testsuite>\n`,
  ].join("");
}

// CI systems merge cases with equal names, so repeats get a number.
function makeNamesUnique(cases: readonly TestCase[]): TestCase[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return cases.map((testCase) => {
    // Different names may become equal when they are escaped.
    const name = escapeXml(testCase.name);
    let unique = name;
    let nth = counts.get(name) ?? 1;
    while (taken.has(unique)) {
      nth += 1;
      unique = `${name} (${nth})`;
    }
    taken.add(unique);
    counts.set(name, nth);
    return unique === name ? testCase : { ...testCase, name: `${testCase.name} (${nth})` };
  });
}

function renderCase(testCase: TestCase, classname: string): string {
  const { name, seconds, failures, isError = false, skipped = null } = testCase;
  const attributes = renderAttributes({ classname, name, time: seconds.toFixed(3) });
  if (skipped !== null) {
    const reason = renderAttributes({ message: skipped });
    return `    <testcase${attributes}>\n      <skipped${reason}/>\n    </testcase>\n`;
  }
  const [first] = failures;
  if (!first) return `    <testcase${attributes}/>\n`;
  const message = failures.map(({ text }) => text).join("; ");
  const failure = renderAttributes({ type: first.rule, message });
  const tag = isError ? "error" : "failure";
  return `    <testcase${attributes}>\n      <${tag}${failure}>${escapeXml(message)}</${tag}>\n    </testcase>\n`;
}

function renderAttributes(attributes: { readonly [name: string]: string }): string {
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

// XML 1.0 forbids some characters; others are unsafe on a screen.
function escapeXml(text: string): string {
  return escapeUnsafe(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
