import type { LockReport, BaseReport } from "#lock/lock-report.ts";
import { failsOn } from "#lock/drift/severity-rules.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import type { Document, Note, Section, Span } from "../document.ts";
import { buildDiffSections, buildDriftSections, buildCostSections } from "./drift-sections.ts";
import { makeNoteName, nameServer } from "./shared-texts.ts";
import type { LimitExcess } from "#lock/lock-limits.ts";

export function buildLockDocument(report: LockReport, isWriting: boolean = false): Document {
  return {
    title: nameServer(report.server),
    sections: buildLockSections(report, isWriting ? "result" : "verdict"),
  };
}

export function buildLockSections(
  report: LockReport,
  label: "verdict" | "result" | "drift",
): readonly Section[] {
  return [
    ...buildDriftSections(report.drifts),
    ...buildDiffSections(report.diffs),
    ...buildBaseSections(report),
    {
      kind: "notes",
      notes: [
        ...report.over_limit.map(makeExcessNote),
        { label: "definitions", text: describeDefinitions(report) },
        {
          label: "lock",
          text: `${describeLockFile(report)}, tokens counted by ${report.estimator}`,
        },
        { label, text: label === "result" ? describeWriting(report) : describeVerdict(report) },
      ],
    },
  ];
}

function makeExcessNote({ limit, tool, tokens, allowed }: LimitExcess): Note {
  const subject: readonly Span[] =
    tool === null ? ["all definitions"] : ["the definition of ", makeNoteName(tool)];
  const amount = `: ${pluralize(tokens, "token")}, limit ${formatCount(allowed)}`;
  return { label: `over --${limit.replaceAll("_", "-")}`, text: [...subject, amount] };
}

function describeDefinitions({ total_tokens: tokens, tools }: LockReport): string {
  const now = `${pluralize(tools.after, "tool")}, ${pluralize(tokens.after, "token")}`;
  return tokens.before === null ? now : `${now}, ${describeChange(tokens.after - tokens.before)}`;
}

function describeChange(tokens: number): string {
  if (tokens === 0) return "the same as in the lock";
  return `${formatCount(Math.abs(tokens))} ${tokens > 0 ? "more" : "fewer"} than in the lock`;
}

function describeLockFile(report: LockReport): string {
  const { lock_file: file, lock_written: isWritten, total_tokens: tokens } = report;
  if (isWritten) return file;
  return tokens.before === null ? `${file} (not compared)` : file;
}

function describeWriting({
  lock_file: file,
  lock_written: isWritten,
  would_write: wouldWrite,
  over_limit: excesses,
}: LockReport): string {
  if (isWritten) return `written to ${file}`;
  if (wouldWrite === true) return `dry run: would be written to ${file}`;
  return excesses.length > 0
    ? "not written: a limit is exceeded"
    : "not written: the lock is up to date";
}

function describeVerdict(report: LockReport): string {
  const { severity, fail_on: failOn, over_limit: excesses } = report;
  const rule = `(--fail-on ${failOn})`;
  const reasons = [
    ...(severity !== null && failsOn(failOn, severity)
      ? [`worst drift is ${severity} ${rule}`]
      : []),
    ...(excesses.length > 0 ? ["a limit is exceeded"] : []),
  ];
  if (reasons.length > 0) return `failed: ${reasons.join(", and ")}`;
  const result = severity === null ? describeNoDrift(report) : `worst drift is ${severity}`;
  return `passed: ${result} ${rule}`;
}

function describeNoDrift({ total_tokens: tokens }: LockReport): string {
  return tokens.before === null ? "nothing to compare with" : "nothing differs from the lock";
}

export function buildBaseSections(report: LockReport): readonly Section[] {
  const { base } = report;
  if (!base) return [];
  return [
    { kind: "line", text: ["Compared with ", makeNoteName(base.name), ":"] },
    ...buildCostSections(base),
    ...buildBaseDrifts(report),
    ...buildBaseDiffs(report),
    { kind: "notes", notes: [makeBaseNote(base)] },
  ];
}

export function buildBaseDrifts(report: LockReport): readonly Section[] {
  const { base } = report;
  return base && hasOtherDrifts(base, report) ? buildDriftSections(base.drifts) : [];
}

export function buildBaseDiffs(report: LockReport): readonly Section[] {
  const { base } = report;
  return base && hasOtherDrifts(base, report) ? buildDiffSections(base.diffs) : [];
}

function hasOtherDrifts(base: BaseReport, { drifts, diffs }: LockReport): boolean {
  return JSON.stringify([base.drifts, base.diffs]) !== JSON.stringify([drifts, diffs]);
}

export function makeBaseNote(base: BaseReport): Note {
  return { label: "base", text: [makeNoteName(base.name), ...describeBase(base)] };
}

function describeBase(base: BaseReport): readonly Span[] {
  const { has_lock: hasLock, severity } = base;
  if (!hasLock) return [" has no lock at this path: the lock is new or was moved"];
  if (severity === null) return [": nothing has changed"];
  return [`: ${[...describeBaseChanges(base), `worst drift is ${severity}`].join("; ")}`];
}

function describeBaseChanges({ costs, total_tokens: tokens }: BaseReport): readonly string[] {
  const tools = costs.filter(({ tool }) => tool !== null).length;
  const growth = tokens.after - (tokens.before ?? 0);
  return [
    tools === 0
      ? "no tool has changed"
      : `${pluralize(tools, "definition")} changed, ${describeTokenGrowth(growth)} in total`,
    ...(tools < costs.length ? ["instructions changed"] : []),
  ];
}

export function describeTokenGrowth(tokens: number): string {
  if (tokens === 0) return "the same number of tokens";
  return `${pluralize(Math.abs(tokens), "token")} ${tokens > 0 ? "more" : "fewer"}`;
}
