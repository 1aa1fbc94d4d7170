import type { LimitExcess, LockReport, BaseReport } from "#lock/lock-report.ts";
import { failsOn } from "#lock/drift.ts";
import { formatCount, plural } from "#kit/text/numbers.ts";
import type { Document, Note, Section, Span } from "../document.ts";
import { diffSections, driftSections, costSections } from "./drift-sections.ts";
import { noteName, serverTitle } from "./parts.ts";
import type { Lock } from "#lock/lock.ts";

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

type Version = Lock["lock_version"];

const missing: { readonly [version in Version]: string | undefined } = {
  "1.0": "definitions, prompts, resource templates, texts of the server, order of tools, skills",
  "2.0":
    "prompts, resource templates, title, description, website and icons of the server, order of tools, skills",
  "2.1": "website and icons of the server, order of tools, skills",
  "2.2": "order of tools, skills",
  "2.3": undefined,
};

function versionNotes(label: string, version: Version | null, hint: string): Note[] {
  const parts = version === null ? undefined : missing[version];
  if (parts === undefined) return [];
  const detail = version === "1.0" ? "; it has hashes in place of definitions" : "";
  return [{ label, text: `version ${version} has no ${parts}: not compared${detail}${hint}` }];
}

function upgradeNotes(version: Version | null): Note[] {
  const parts = version === null ? undefined : missing[version];
  if (parts === undefined) return [];
  return [
    { label: "version", text: `upgraded from version ${version}: the lock has ${parts} now` },
  ];
}
