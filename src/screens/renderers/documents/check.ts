import { problemColumnsMax } from "#kit/limits.ts";
import { checkRowsMax } from "../../limits.ts";
import type { PlayedCall } from "#check/played-call.ts";
import type { CheckReport, Problem } from "#check/report.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import { formatCount, formatMilliseconds, plural } from "#kit/text/numbers.ts";
import type { Cell, Column, Document, Note, Row, Section, Span } from "../document.ts";
import { noteName, omittedLine, serverTitle } from "./parts.ts";
import { lockSections } from "./lock.ts";
import { mergeRounds } from "../terminal.ts";

export function checkDocument(report: CheckReport): Document {
  const problems = mergeRounds(
    report.problems.filter(({ place }) => place !== "lock" && place !== "definitions"),
  );
  return {
    title: serverTitle(report.server),
    sections: [
      ...callSections(report),
      ...lockSections(report.definitions, "drift"),
      { kind: "notes", notes: problems.slice(0, checkRowsMax).map(problemNote) },
      ...omittedLine(problems.length, checkRowsMax, "problem"),
      { kind: "notes", notes: verdictNotes(report) },
    ],
  };
}

export function callSections({ calls }: Pick<CheckReport, "calls">): readonly Section[] {
  return [
    { kind: "grid", columns, rows: calls.slice(0, checkRowsMax).map(callRow) },
    ...omittedLine(calls.length, checkRowsMax, "call"),
    { kind: "notes", notes: skipNotes(calls.slice(0, checkRowsMax)) },
  ];
}

export function verdictNotes(report: CheckReport): readonly Note[] {
  return [
    ...(report.calls.length === 0 ? [] : [{ label: "calls", text: totalText(report) }]),
    { label: "check", text: verdictText(report) },
  ];
}

const columns: readonly Column[] = [
  ...["call", "tool"].map((head) => ({ head })),
  ...["tokens", "budget", "recorded", "ms"].map((head) => ({ head, isNumber: true })),
  ...["outcome", "result"].map((head) => ({ head })),
];

const failed: Cell = { text: "FAIL", tone: "worst" };

const passed: Cell = { text: "PASS", tone: "good" };

const skipped: Cell = { text: "SKIP", tone: "caution" };

function verdictCell(call: PlayedCall): Cell {
  if (call.skipped !== null) return skipped;
  return call.problems.length > 0 ? failed : passed;
}

function callRow(call: PlayedCall): Row {
  const round = call.round === 1 ? "" : ` (${call.round})`;
  const isMade = call.skipped === null;
  return [
    { name: `${call.call}${round}` },
    { name: call.tool },
    isMade ? formatCount(call.tokens) : "",
    call.limit === null ? "" : formatCount(call.limit),
    call.recorded_tokens === null ? "" : formatCount(call.recorded_tokens),
    isMade ? formatMilliseconds(call.duration_ms) : "",
    call.outcome,
    verdictCell(call),
  ];
}

export function problemNote({ level, about, text }: Problem): Note {
  const subject: readonly Span[] = about === null ? [] : [noteName(about), ": "];
  return { label: level, text: [...subject, clip(text, problemColumnsMax)] };
}

function skipNotes(calls: readonly PlayedCall[]): readonly Note[] {
  return calls.flatMap(({ call, skipped: reason }) =>
    reason === null
      ? []
      : [{ label: "skipped", text: [noteName(call), ": ", clip(reason, problemColumnsMax)] }],
  );
}

const callPlaces: ReadonlySet<Problem["place"]> = new Set(["calls", "budgets"]);

function totalText({ total, calls_file: file, estimator, problems }: CheckReport): string {
  const source = file === null ? "" : ` from ${file}`;
  const tokens = plural(total.tokens, "token");
  const left = total.skipped === 0 ? "" : `, ${formatCount(total.skipped)} skipped`;
  const isFailed = problems.some(({ level, place }) => level === "error" && callPlaces.has(place));
  const verdict = isFailed ? "failed" : "passed";
  return `${verdict}: ${plural(total.calls, "call")}${source}${left}, ${tokens}, counted by ${estimator}`;
}

function verdictText(report: CheckReport): string {
  const errors = report.problems.filter(({ level }) => level === "error").length;
  const warnings = report.problems.length - errors;
  const verdict = report.failed ? "failed" : "passed";
  return `${verdict}: ${plural(errors, "error")}, ${plural(warnings, "warning")}`;
}
