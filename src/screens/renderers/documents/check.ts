import { problemColumnsMax } from "#kit/limits.ts";
import { checkRowsMax } from "../../limits.ts";
import type { PlayedCall } from "#check/judge-calls.ts";
import type { CheckReport, Problem } from "#check/report.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import { formatCount, formatSignificant, pluralize } from "#kit/text/numbers.ts";
import type { Cell, Column, Document, Note, Row, Section, Span } from "../document.ts";
import { widenName, noteOmitted, nameServer } from "./parts.ts";
import { buildLockSections } from "./lock.ts";
import { mergeRounds } from "../terminal.ts";

export function buildCheckDocument(report: CheckReport): Document {
  const problems = mergeRounds(
    report.problems.filter(
      (problem) => problem.place !== "lock" && problem.place !== "definitions",
    ),
  );
  return {
    title: nameServer(report.server),
    sections: [
      ...buildCallSections(report),
      ...buildLockSections(report.definitions, "drift"),
      { kind: "notes", notes: problems.slice(0, checkRowsMax).map(makeProblemNote) },
      ...noteOmitted(problems.length, checkRowsMax, "problem"),
      { kind: "notes", notes: listVerdictNotes(report) },
    ],
  };
}

export function buildCallSections({ calls }: Pick<CheckReport, "calls">): readonly Section[] {
  return [
    { kind: "grid", columns, rows: calls.slice(0, checkRowsMax).map(formatCallRow) },
    ...noteOmitted(calls.length, checkRowsMax, "call"),
    { kind: "notes", notes: listSkipNotes(calls.slice(0, checkRowsMax)) },
  ];
}

export function listVerdictNotes(report: CheckReport): readonly Note[] {
  return [
    ...(report.calls.length === 0 ? [] : [{ label: "calls", text: describeCalls(report) }]),
    { label: "check", text: describeVerdict(report) },
  ];
}

const columns: readonly Column[] = [
  ...["call", "tool"].map((head) => ({ head })),
  ...["tokens", "budget", "recorded", "ms"].map((head) => ({ head, isNumber: true })),
  ...["outcome", "verdict"].map((head) => ({ head })),
];

const failed: Cell = { text: "FAIL", tone: "worst" };

const passed: Cell = { text: "PASS", tone: "good" };

const skipped: Cell = { text: "SKIP", tone: "caution" };

function pickVerdictCell(call: PlayedCall): Cell {
  if (call.skipped !== null) return skipped;
  return call.problems.length > 0 ? failed : passed;
}

function formatCallRow(call: PlayedCall): Row {
  const round = call.round === 1 ? "" : ` (${call.round})`;
  const isMade = call.skipped === null;
  return [
    { name: `${call.call}${round}` },
    { name: call.tool },
    isMade ? formatCount(call.tokens) : "",
    call.limit === null ? "" : formatCount(call.limit),
    call.recorded_tokens === null ? "" : formatCount(call.recorded_tokens),
    isMade ? formatSignificant(call.duration_ms) : "",
    call.outcome,
    pickVerdictCell(call),
  ];
}

export function makeProblemNote({ level, about, text }: Problem): Note {
  const subject: readonly Span[] = about === null ? [] : [widenName(about), ": "];
  return { label: level, text: [...subject, clip(text, problemColumnsMax)] };
}

function listSkipNotes(calls: readonly PlayedCall[]): readonly Note[] {
  return calls.flatMap(({ call, skipped: reason }) =>
    reason === null
      ? []
      : [{ label: "skipped", text: [widenName(call), ": ", clip(reason, problemColumnsMax)] }],
  );
}

const callPlaces: ReadonlySet<Problem["place"]> = new Set(["calls", "budgets"]);

function describeCalls({ total, calls_file: file, estimator, problems }: CheckReport): string {
  const source = file === null ? "" : ` from ${file}`;
  const tokens = pluralize(total.tokens, "token");
  const skippedText = total.skipped === 0 ? "" : `, ${formatCount(total.skipped)} skipped`;
  const isFailed = problems.some(
    (problem) => problem.level === "error" && callPlaces.has(problem.place),
  );
  const verdict = isFailed ? "failed" : "passed";
  return `${verdict}: ${pluralize(total.calls, "call")}${source}${skippedText}, ${tokens}, counted by ${estimator}`;
}

function describeVerdict(report: CheckReport): string {
  const errors = report.problems.filter(({ level }) => level === "error").length;
  const warnings = report.problems.length - errors;
  const verdict = report.failed ? "failed" : "passed";
  return `${verdict}: ${pluralize(errors, "error")}, ${pluralize(warnings, "warning")}`;
}
