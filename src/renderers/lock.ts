import type { Drift } from "#lock/drift.ts";
import type { LimitExcess } from "#lock/lock-limits.ts";
import type { LockReport } from "#lock/lock-report.ts";
import { safeJson } from "#text/unsafe-text.ts";
import { documentAsMarkdown, documentAsTable } from "./document.ts";
import type { Document, Section, Text } from "./document.ts";
import type { RenderOptions } from "./options.ts";
import { plural, shownCount } from "./text.ts";

/** Drifts printed; JSON has them all. */
const driftsShown = 100;

/** A comparison with a lock in that format: text that ends with a newline. */
export function renderLock(
  format: "table" | "markdown" | "json",
  report: LockReport,
  options: RenderOptions,
): string {
  if (format === "json") return `${safeJson(report, 2)}\n`;
  const document = lockDocument(report);
  return format === "table" ? documentAsTable(document, options) : documentAsMarkdown(document);
}

/** What a comparison says to a person. */
export function lockDocument(report: LockReport): Document {
  const { name, version } = report.server;
  return {
    title: { name: `${name ?? "server"}${version === null ? "" : ` ${version}`}` },
    sections: lockSections(report),
  };
}

/** The comparison without its title. */
export function lockSections(report: LockReport): Section[] {
  const { drifts } = report;
  const more = drifts.length - driftsShown;
  const heads = ["severity", "tool", "what", "before", "after"];
  return [
    {
      kind: "grid",
      columns: heads.map((head) => ({ head })),
      rows: drifts.slice(0, driftsShown).map(driftRow),
    },
    ...(more > 0
      ? [{ kind: "line", text: `${plural(more, "more drift")}, see --format json` } as const]
      : []),
    { kind: "notes", notes: [...report.over_limit.map(excessNote), ...totals(report)] },
  ];
}

function driftRow({ severity, tool, what, before, after }: Drift): Text[] {
  const name = tool === null ? "(server)" : { name: tool };
  return [
    severity,
    name,
    what.slice(0, 120),
    (before ?? "").slice(0, 80),
    (after ?? "").slice(0, 80),
  ];
}

function excessNote({ limit, tool, tokens, allowed }: LimitExcess): [Text, Text] {
  const whose = tool === null ? "all definitions" : `the definition of ${tool.slice(0, 60)}`;
  const says = `${whose}: ${shownCount(tokens)} tokens, ${shownCount(allowed)} are allowed`;
  return [`over --${limit.replaceAll("_", "-")}`, says];
}

function totals(report: LockReport): [Text, Text][] {
  const { total_tokens: tokens, tools } = report;
  const was =
    tokens.before === null ? "" : `, ${changed(tokens.after - tokens.before)} since the lock`;
  return [
    ["definitions", `${plural(tools.after, "tool")}, ${shownCount(tokens.after)} tokens${was}`],
    ["lock", `${lockState(report)}, counted by ${report.estimator}`],
    ["verdict", verdictOf(report)],
  ];
}

function lockState(report: LockReport): string {
  const { lock_file: file, lock_written: isWritten, total_tokens: tokens } = report;
  if (isWritten) return `written to ${file}`;
  return tokens.before === null ? `none at ${file}` : file;
}

function verdictOf({
  failed,
  severity,
  fail_on: failOn,
  total_tokens: tokens,
}: LockReport): string {
  const same = tokens.before === null ? "nothing to compare with" : "nothing has changed";
  const worst = severity === null ? same : `the worst drift is ${severity}`;
  const why = failed && severity === null ? "a limit is passed" : `${worst}, --fail-on ${failOn}`;
  return `${failed ? "failed" : "passed"}: ${why}`;
}

function changed(difference: number): string {
  if (difference === 0) return "no change";
  return `${shownCount(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"}`;
}
