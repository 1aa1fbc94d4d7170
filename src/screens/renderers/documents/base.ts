import type { BaseReport, LockReport } from "#lock/lock-report.ts";
import { formatCount, plural } from "#kit/text/numbers.ts";
import type { Note, Section, Span } from "../document.ts";
import { costSections } from "./cost-changes.ts";
import { diffSections, driftSections } from "./drift-sections.ts";
import { versionNotes } from "./lock-version.ts";
import { noteName } from "./parts.ts";

export function baseSections(report: LockReport): readonly Section[] {
  const { base } = report;
  if (!base) return [];
  return [
    { kind: "line", text: ["Compared with ", noteName(base.name), ":"] },
    ...costSections(base),
    ...baseDrifts(report),
    ...baseDiffs(report),
    { kind: "notes", notes: baseNotes(base) },
  ];
}

export function baseDrifts(report: LockReport): readonly Section[] {
  return report.base && isDifferent(report.base, report) ? driftSections(report.base.drifts) : [];
}

export function baseDiffs(report: LockReport): readonly Section[] {
  return report.base && isDifferent(report.base, report) ? diffSections(report.base.diffs) : [];
}

function isDifferent(base: BaseReport, { drifts, diffs }: LockReport): boolean {
  return JSON.stringify([base.drifts, base.diffs]) !== JSON.stringify([drifts, diffs]);
}

export function baseNotes(base: BaseReport): readonly Note[] {
  return [baseNote(base), ...versionNotes("base version", base.lock_version, "")];
}

function baseNote(base: BaseReport): Note {
  return { label: "base", text: [noteName(base.name), ...baseText(base)] };
}

function baseText(base: BaseReport): readonly Span[] {
  const { has_lock: hasLock, severity } = base;
  if (!hasLock) return [" has no lock of this name: this one is new, or was moved"];
  if (severity === null) return [": nothing has changed"];
  return [`: ${[...changesIn(base), `worst drift is ${severity}`].join("; ")}`];
}

function changesIn({ costs, total_tokens: tokens }: BaseReport): readonly string[] {
  const tools = costs.filter(({ tool }) => tool !== null).length;
  const growth = tokens.after - (tokens.before ?? 0);
  return [
    tools === 0
      ? "no tool has changed"
      : `${plural(tools, "definition")} changed, ${growthText(growth)}`,
    ...(tools < costs.length ? ["instructions changed"] : []),
  ];
}

export function growthText(tokens: number): string {
  if (tokens === 0) return "as many tokens";
  return `${formatCount(Math.abs(tokens))} ${Math.abs(tokens) === 1 ? "token" : "tokens"} ${tokens > 0 ? "more" : "fewer"}`;
}
