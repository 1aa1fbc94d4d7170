import type { BudgetVerdict, JudgedCall } from "#check/judge-calls.ts";
import type { CheckReport, Problem } from "#check/report.ts";
import { clip, problemColumnsMax } from "#kit/text/columns.ts";
import { formatLimit, formatSpent, formatUse } from "#records/summary.ts";
import { formatCount, formatSignificant, pluralize } from "#kit/text/numbers.ts";
import type { Cell, Column, Document, Note, Row, Section, Span } from "../document.ts";
import {
  buildLimitedGrid,
  groupItems,
  makeNoteName,
  noteOmitted,
  nameServer,
  listedRowsMax,
} from "./shared-texts.ts";
import { buildLockSections } from "./lock.ts";

export function buildCheckDocument(report: CheckReport): Document {
  const problems = report.problems.filter(
    ({ place }) => place !== "lock" && place !== "definitions",
  );
  return {
    title: nameServer(report.server),
    sections: [
      ...buildCallSections(report),
      ...buildLockSections(report.definitions, "drift"),
      ...buildProblemSections(problems),
      { kind: "notes", notes: listVerdictNotes(report) },
    ],
  };
}

export function buildCallSections({
  calls,
  budgets,
}: Pick<CheckReport, "calls" | "budgets">): readonly Section[] {
  const callRows = calls.map((call) => formatCallRow(call, budgets));
  return [
    ...buildLimitedGrid(callColumns, callRows, "call"),
    { kind: "notes", notes: listSkipNotes(calls.slice(0, listedRowsMax)) },
    ...buildLimitedGrid(budgetColumns, budgets.map(formatBudgetRow), "budget"),
  ];
}

export function listVerdictNotes(report: CheckReport): readonly Note[] {
  return [
    ...(report.calls.length === 0 ? [] : [{ label: "calls", text: describeCalls(report) }]),
    { label: "check", text: describeVerdict(report) },
  ];
}

const callColumns: readonly Column[] = [
  { head: "call" },
  { head: "tool" },
  { head: "tokens", isNumber: true },
  { head: "budget" },
  { head: "recorded", isNumber: true },
  { head: "ms", isNumber: true },
  { head: "outcome" },
  { head: "verdict" },
];

const budgetColumns: readonly Column[] = [
  { head: "budget" },
  { head: "tool" },
  { head: "spent", isNumber: true },
  { head: "limit", isNumber: true },
  { head: "verdict" },
];

const failedCell: Cell = { text: "FAIL", tone: "worst" };

const passedCell: Cell = { text: "PASS", tone: "good" };

const skippedCell: Cell = { text: "SKIP", tone: "caution" };

function formatCallRow(call: JudgedCall, budgets: readonly BudgetVerdict[]): Row {
  const round = call.round === 1 ? "" : ` (${call.round})`;
  const wasMade = call.skipped === null;
  const limit = wasMade ? findLimit(call, budgets) : undefined;
  return [
    { name: `${call.call}${round}` },
    { name: call.tool },
    wasMade ? formatCount(call.tokens) : "",
    limit === undefined ? "" : formatLimitCell(limit),
    call.recorded_tokens === null ? "" : formatCount(call.recorded_tokens),
    wasMade ? formatSignificant(call.duration_ms) : "",
    call.outcome,
    pickVerdictCell(call, limit),
  ];
}

type Limit = Pick<BudgetVerdict, "limit" | "unit" | "spent" | "is_enforced">;

// Limits come from the calls file and `--budget`. Returns the limit that the call exceeds most; enforced limits come
// before others. If the call exceeds no limit, returns the limit that it comes closest to.
function findLimit(call: JudgedCall, budgets: readonly BudgetVerdict[]): Limit | undefined {
  const { limit: fileLimit, tokens, cost_usd: dollars = 0 } = call;
  const limits: readonly Limit[] = [
    ...(fileLimit === null
      ? []
      : [{ limit: fileLimit, unit: "tokens" as const, spent: tokens, is_enforced: true }]),
    ...budgets
      .filter(({ per, tool }) => per === "call" && (tool === null || tool === call.tool))
      .map((budget) => ({ ...budget, spent: budget.unit === "dollars" ? dollars : tokens })),
  ].toSorted((a, b) => b.spent * a.limit - a.spent * b.limit || a.limit - b.limit);
  const exceeded = limits.filter(({ limit, spent }) => spent > limit);
  return exceeded.find((limit) => limit.is_enforced) ?? exceeded[0] ?? limits[0];
}

function pickVerdictCell(call: JudgedCall, limit: Limit | undefined): Cell {
  if (call.skipped !== null) return skippedCell;
  const isOver = limit?.is_enforced === true && limit.spent > limit.limit;
  return call.problems.length > 0 || isOver ? failedCell : passedCell;
}

function formatLimitCell(callLimit: Limit): Cell {
  const { limit, unit, spent, is_enforced: isEnforced } = callLimit;
  const amount = unit === "dollars" ? formatUse(spent, callLimit) : formatLimit(callLimit);
  const text = `${amount}, ${describeExcess(callLimit)}`;
  return spent > limit ? { text, tone: isEnforced ? "bad" : "caution" } : text;
}

function describeExcess({ spent, limit, unit }: Limit): string {
  if (spent <= limit) return "ok";
  return `over by ${formatSpent(spent - limit, unit)}`;
}

function formatBudgetRow(verdict: BudgetVerdict): Row {
  const { budget, tool, spent, limit, unit, is_enforced: isEnforced } = verdict;
  const text = describeExcess(verdict);
  const noun = unit === "calls" ? "call" : "token";
  return [
    { name: budget },
    tool === null ? "(all)" : { name: tool },
    unit === "dollars" ? formatSpent(spent, unit) : pluralize(spent, noun),
    formatLimit(verdict),
    { text, tone: spent <= limit ? "good" : isEnforced ? "worst" : "caution" },
  ];
}

export function buildProblemSections(problems: readonly Problem[]): readonly Section[] {
  const merged = mergeRounds(problems);
  return [
    { kind: "notes", notes: merged.slice(0, listedRowsMax).map(makeProblemNote) },
    ...noteOmitted(merged.length, listedRowsMax, "problem"),
  ];
}

function makeProblemNote({ level, about, text }: Problem): Note {
  const subject: readonly Span[] = about === null ? [] : [makeNoteName(about), ": "];
  return { label: level, text: [...subject, clip(text, problemColumnsMax)] };
}

function listSkipNotes(calls: readonly JudgedCall[]): readonly Note[] {
  return calls.flatMap(({ call, skipped: reason }) =>
    reason === null
      ? []
      : [{ label: "skipped", text: [makeNoteName(call), ": ", clip(reason, problemColumnsMax)] }],
  );
}

const callPlaces: ReadonlySet<Problem["place"]> = new Set(["calls", "budgets"]);

function describeCalls(report: CheckReport): string {
  const { total, calls_file: file, estimator, problems, budgets } = report;
  const source = file === null ? "" : ` from ${file}`;
  const tokens = pluralize(total.tokens, "token");
  const skippedText = total.skipped === 0 ? "" : `, ${formatCount(total.skipped)} skipped`;
  const hasFailed = problems.some(
    (problem) => problem.level === "error" && callPlaces.has(problem.place),
  );
  const verdict = hasFailed ? "failed" : "passed";
  const prices = budgets.find((budget) => budget.prices !== undefined)?.prices;
  const pricedText = prices === undefined ? "" : `, priced by ${prices}`;
  return `${verdict}: ${pluralize(total.calls, "call")}${source}${skippedText}, ${tokens}, counted by ${estimator}${pricedText}`;
}

function describeVerdict(report: CheckReport): string {
  const errors = report.problems.filter(({ level }) => level === "error").length;
  const warnings = report.problems.length - errors;
  const verdict = report.failed ? "failed" : "passed";
  return `${verdict}: ${pluralize(errors, "error")}, ${pluralize(warnings, "warning")}`;
}

export function mergeRounds(problems: readonly Problem[]): readonly Problem[] {
  const groups = groupItems(problems, (problem, index) => {
    // Only problems of calls are merged: other equal problems may be about two tools with the same name.
    if (problem.place !== "calls") return index;
    const { line, rule, about, text } = problem;
    return JSON.stringify(line === null ? [rule, about, text] : [line, rule, text]);
  });
  return groups.map(([first, ...laterRounds]) => {
    if (laterRounds.length === 0) return first;
    return { ...first, about: `${first.about ?? ""}, ${laterRounds.length + 1} rounds` };
  });
}
