import type { CheckReport, Problem } from "#check/report.ts";
import type { PlayedCall } from "#check/played-call.ts";
import { safeJson } from "#text/unsafe-text.ts";
import type { CheckFormat } from "./check-formats.ts";
import { documentAsMarkdown, documentAsTable } from "./document.ts";
import type { Document, Section, Text } from "./document.ts";
import { checkAsGithub } from "./github.ts";
import { checkAsJunit } from "./junit.ts";
import { lockSections } from "./lock.ts";
import { checkAsSarif } from "./sarif.ts";
import { plural, shownCount, shownMs } from "./text.ts";

export type CheckRenderOptions = {
  readonly color: boolean;
  /** When the check began, as `2026-07-28T09:00:00` in UTC. */
  readonly timestamp: string;
  /** A word nobody can guess, between which GitHub obeys no command. */
  readonly token: string;
};

/** Calls and problems printed; JSON has them all. */
const rowsShown = 200;

/** The check in that format: text that ends with a newline. */
export function renderCheck(
  format: CheckFormat,
  report: CheckReport,
  options: CheckRenderOptions,
): string {
  switch (format) {
    case "table":
      return documentAsTable(checkDocument(report), options);
    case "markdown":
      return documentAsMarkdown(checkDocument(report));
    case "json":
      return `${safeJson(report, 2)}\n`;
    case "junit":
      return checkAsJunit(report, options.timestamp);
    case "sarif":
      return checkAsSarif(report);
    case "github":
      return checkAsGithub(report, documentAsTable(checkDocument(report), options), options.token);
  }
}

/** What a check says to a person. */
export function checkDocument(report: CheckReport): Document {
  const { name, version } = report.server;
  const { calls, problems } = report;
  return {
    title: { name: `${name ?? "server"}${version === null ? "" : ` ${version}`}` },
    sections: [
      { kind: "grid", columns: callColumns, rows: calls.slice(0, rowsShown).map(callRow) },
      ...more(calls.length, "call"),
      ...lockSections(report.definitions),
      { kind: "notes", notes: problems.slice(0, rowsShown).map(problemNote) },
      ...more(problems.length, "problem"),
      { kind: "notes", notes: [totalNote(report), ["check", verdictOf(report)]] },
    ],
  };
}

const callColumns = [
  { head: "call" },
  { head: "tool" },
  { head: "tokens", isNumber: true },
  { head: "budget", isNumber: true },
  { head: "recorded", isNumber: true },
  { head: "ms", isNumber: true },
  { head: "outcome" },
  { head: "verdict" },
];

function callRow(call: PlayedCall): Text[] {
  const round = call.round === 1 ? "" : ` (${call.round})`;
  return [
    { name: `${call.call}${round}` },
    { name: call.tool },
    shownCount(call.tokens),
    call.limit === null ? "" : shownCount(call.limit),
    call.recorded_tokens === null ? "" : shownCount(call.recorded_tokens),
    shownMs(call.duration_ms),
    call.outcome,
    call.problems.length > 0 ? "FAIL" : "PASS",
  ];
}

function problemNote({ level, about, text }: Problem): [Text, Text] {
  const subject = about === null ? "" : `${about.slice(0, 60)}: `;
  return [level, `${subject}${text.slice(0, 300)}`];
}

function totalNote({ total, calls_file: file, estimator }: CheckReport): [Text, Text] {
  const from = file === null ? "" : ` of ${file}`;
  return [
    "calls",
    `${plural(total.calls, "call")}${from}, ${shownCount(total.tokens)} tokens, counted by ${estimator}`,
  ];
}

function verdictOf({ failed, problems }: CheckReport): string {
  const errors = problems.filter(({ level }) => level === "error").length;
  const warnings = problems.length - errors;
  return `${failed ? "failed" : "passed"}: ${plural(errors, "error")}, ${plural(warnings, "warning")}`;
}

function more(all: number, noun: string): Section[] {
  if (all <= rowsShown) return [];
  return [{ kind: "line", text: `${plural(all - rowsShown, `more ${noun}`)}, see --format json` }];
}
