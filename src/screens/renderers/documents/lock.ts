import type { LimitExcess } from "#lock/lock-limits.ts";
import type { LockReport } from "#lock/lock-report.ts";
import { failsOn } from "#lock/severity.ts";
import { formatCount, plural } from "#kit/text/numbers.ts";
import type { Document, Note, Section, Span } from "../document.ts";
import { baseSections } from "./base.ts";
import { diffSections, driftSections } from "./drift-sections.ts";
import { upgradeNotes, versionNotes } from "./lock-version.ts";
import { noteName, serverTitle } from "./parts.ts";

export function lockDocument(report: LockReport, isWriting: boolean = false): Document {
  return {
    title: serverTitle(report.server),
    sections: lockSections(report, isWriting ? "result" : "verdict"),
  };
}

/** A command that writes the lock prints the result; in a check the drift is one verdict of three. */
export function lockSections(
  report: LockReport,
  label: "verdict" | "result" | "drift",
): readonly Section[] {
  const { drifts, over_limit: excess } = report;
  return [
    ...driftSections(drifts),
    ...diffSections(report.diffs),
    ...baseSections(report),
    {
      kind: "notes",
      notes: [
        ...excess.map(excessNote),
        { label: "definitions", text: definitionsText(report) },
        { label: "lock", text: `${lockFileText(report)}, counted by ${report.estimator}` },
        ...(report.lock_written
          ? upgradeNotes(report.lock_version)
          : versionNotes("version", report.lock_version, "; `mcp-meter lock` upgrades it")),
        { label, text: label === "result" ? writingText(report) : verdictText(report) },
      ],
    },
  ];
}

function excessNote({ limit, tool, tokens, allowed }: LimitExcess): Note {
  const subject: readonly Span[] =
    tool === null ? ["all definitions"] : ["the definition of ", noteName(tool)];
  const amount = `: ${plural(tokens, "token")}, limit ${formatCount(allowed)}`;
  return { label: `over --${limit.replaceAll("_", "-")}`, text: [...subject, amount] };
}

function definitionsText({ total_tokens: tokens, tools }: LockReport): string {
  const now = `${plural(tools.after, "tool")}, ${plural(tokens.after, "token")}`;
  return tokens.before === null ? now : `${now}, ${change(tokens.after - tokens.before)}`;
}

function change(tokens: number): string {
  if (tokens === 0) return "as many as in the lock";
  return `${formatCount(Math.abs(tokens))} ${tokens > 0 ? "more" : "fewer"} than in the lock`;
}

function lockFileText(report: LockReport): string {
  const { lock_file: file, lock_written: isWritten, total_tokens: tokens } = report;
  if (isWritten) return file;
  return tokens.before === null ? `${file} was not compared` : file;
}

function writingText({
  lock_file: file,
  lock_written: isWritten,
  over_limit: excess,
}: LockReport): string {
  if (isWritten) return `written to ${file}`;
  return excess.length > 0
    ? "not written: a limit is exceeded"
    : "not written: the lock is up to date";
}

function verdictText(report: LockReport): string {
  const { severity, fail_on: failOn, over_limit: excess } = report;
  const rule = `(--fail-on ${failOn})`;
  const reasons = [
    ...(severity !== null && failsOn(failOn, severity)
      ? [`worst drift is ${severity} ${rule}`]
      : []),
    ...(excess.length > 0 ? ["a limit is exceeded"] : []),
  ];
  if (reasons.length > 0) return `failed: ${reasons.join(", and ")}`;
  return `passed: ${severity === null ? unchangedText(report) : `worst drift is ${severity}`} ${rule}`;
}

function unchangedText({ total_tokens: tokens }: LockReport): string {
  return tokens.before === null ? "nothing to compare with" : "nothing differs from the lock";
}
