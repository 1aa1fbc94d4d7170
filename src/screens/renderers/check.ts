import type { CheckFailure } from "#check/played-call.ts";
import type { CheckReport, Problem } from "#check/report.ts";
import type { UserError } from "#kit/errors.ts";
import { renderCheckBadge, renderFailureBadge } from "./badge.ts";
import { type Document, type Section, type Span, type Text, renderJson } from "./document.ts";
import { checkDocument, callSections, problemNote, verdictNotes } from "./documents/check.ts";
import { lockDocument, baseDiffs, baseDrifts, baseNotes, growthText } from "./documents/lock.ts";
import type { CheckFormat } from "./formats.ts";
import { renderJunit, renderJunitFailure } from "./junit.ts";
import { renderSarif, renderSarifFailure } from "./sarif.ts";
import { renderTerminal, type TerminalOptions, mergeRounds } from "./terminal.ts";
import { plural } from "#kit/text/numbers.ts";
import { markdownBlocks } from "./markdown.ts";
import { relativeUri, problemText } from "./problem-text.ts";
import { problemColumnsMax } from "#kit/limits.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import { checkRowsMax } from "../limits.ts";
import type { LockReport } from "#lock/lock-report.ts";
import { costSections, diffSections, driftSections } from "./documents/drift-sections.ts";
import { noteName, omittedLine, serverTitle } from "./documents/parts.ts";

// An annotation has room for a few lines.
const annotationProblemsMax = 5;

/** The table is between two `token`s, which keep the runner from obeying anything in it; then comes at most one annotation. */
export function renderGithub(
  document: Document,
  report: CheckReport,
  { color, token }: TerminalOptions & { readonly token: string },
): string {
  const table = renderTerminal(document, { color });
  const shielded = `::stop-commands::${token}\n${table}::${token}::\n`;
  return report.problems.length === 0 ? shielded : `${shielded}${annotation(report)}\n`;
}

function renderGithubFailure({ error }: CheckFailure): string {
  return `::error title=mcp-meter::${escapeData(clip(error, problemColumnsMax))}\n`;
}

function annotation({ problems: all, failed, server }: CheckReport): string {
  const problems = mergeRounds(all);
  const level = failed ? "error" : "warning";
  const title = clip(`mcp-meter: ${server.name ?? "server"}`, problemColumnsMax);
  return `::${level} title=${escapeProperty(title)}::${escapeData(message(problems))}`;
}

function message(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, annotationProblemsMax)
    .map((problem) => clip(problemText(problem), problemColumnsMax));
  const omitted = problems.length - lines.length;
  return [...lines, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join("\n");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

// Or pairs of bytes: GitHub accepts 65,536 characters, and a variable of a step at most 128 KiB.
const commentCharactersMax = 65_000;

const commentNoteCharactersMax = 200;

/** Begins with a hidden line by which the next run finds it, one for each lock. Sections beyond a comment's length are left out, with a sentence. */
export function renderComment(document: Document, lockFile: string): string {
  const blocks = [marker(lockFile), ...markdownBlocks(document)];
  const whole = joined(blocks);
  return sizeOf(whole) <= commentCharactersMax ? whole : joined(fitting(blocks));
}

function joined(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}

function fitting(blocks: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let room = commentCharactersMax - commentNoteCharactersMax;
  for (const block of blocks) {
    const size = sizeOf(block) + 2;
    if (size > room) continue;
    kept.push(block);
    room -= size;
  }
  const omitted = plural(blocks.length - kept.length, "more section");
  const note = `_Cut here: ${omitted} would exceed the length of a comment; use --format json._`;
  return [...kept, note];
}

/** Characters, or pairs of bytes if there are more. */
function sizeOf(text: string): number {
  return Math.max(text.length, new TextEncoder().encode(text).length / 2);
}

/** Two dashes would end an HTML comment. */
function marker(lockFile: string): string {
  return `<!-- mcp-meter check: ${relativeUri(lockFile).replaceAll("--", "-%2D")} -->`;
}

export type CheckPrintOptions = TerminalOptions & {
  readonly timestamp: string;
  /** Random; GitHub ignores commands between two of them. */
  readonly token: string;
};

export type CheckPrintout = {
  readonly report: CheckReport;
  readonly document: Document;
  readonly comment: Document;
  readonly data: unknown;
  readonly failure?: UserError | undefined;
};

export function checkPrintout(report: CheckReport): CheckPrintout {
  return {
    report,
    document: checkDocument(report),
    comment: commentDocument(report),
    data: report,
  };
}

export function lockPrintout(report: CheckReport, isWriting: boolean): CheckPrintout {
  const document = lockDocument(report.definitions, isWriting);
  const comment = isWriting ? document : commentDocument(report);
  return { report, document, comment, data: report.definitions };
}

const renderers: {
  readonly [format in CheckFormat]: (check: CheckPrintout, options: CheckPrintOptions) => string;
} = {
  table: ({ document }, options) => renderTerminal(document, options),
  markdown: ({ comment, report }) => renderComment(comment, report.definitions.lock_file),
  json: ({ data }) => renderJson(data),
  junit: ({ report }, options) => renderJunit(report, options),
  sarif: ({ report, failure }) => renderSarif(report, failure),
  github: ({ document, report }, options) => renderGithub(document, report, options),
  badge: ({ report }) => renderCheckBadge(report),
};

const failureRenderers: {
  readonly [format in CheckFormat]: (failure: CheckFailure, options: CheckPrintOptions) => string;
} = {
  // The sentence is on stderr.
  table: () => "",
  markdown: (failure) => renderComment(failureDocument(failure), failure.lock_file),
  json: renderJson,
  junit: renderJunitFailure,
  sarif: renderSarifFailure,
  github: renderGithubFailure,
  badge: renderFailureBadge,
};

export function renderCheck(
  format: CheckFormat,
  check: CheckPrintout,
  options: CheckPrintOptions,
): string {
  return renderers[format](check, options);
}

/** Complete for the programs that read it; nothing as a table. */
export function renderFailure(
  format: CheckFormat,
  failure: CheckFailure,
  options: CheckPrintOptions,
): string {
  return failureRenderers[format](failure, options);
}

/** Diffs come last, because a limit of length cuts the end. */
export function commentDocument(report: CheckReport): Document {
  const { definitions, problems } = report;
  const { base } = definitions;
  const others = mergeRounds(problems.filter(({ place }) => place !== "lock"));
  return {
    title: titleText(report),
    sections: [
      ...costSections(base ?? definitions),
      ...driftSections(definitions.drifts),
      ...baseDrifts(definitions),
      { kind: "notes", notes: others.slice(0, checkRowsMax).map(problemNote) },
      ...omittedLine(others.length, checkRowsMax, "problem"),
      ...callSections(report),
      { kind: "notes", notes: [...(base ? baseNotes(base) : []), ...verdictNotes(report)] },
      ...changedDefinitions(definitions),
    ],
  };
}

export function failureDocument({ error }: CheckFailure): Document {
  return {
    title: "Failed: the server could not be checked",
    sections: [{ kind: "line", text: error }],
  };
}

function titleText({ failed, server, definitions }: CheckReport): Text {
  const { tools, total_tokens: tokens } = definitions;
  return [
    failed ? "Failed: " : "Passed: ",
    serverTitle(server),
    `, ${plural(tools.after, "tool")}, ${plural(tokens.after, "token")}`,
    ...earlierText(definitions),
  ];
}

function earlierText({ base, lock_file: file, total_tokens: tokens }: LockReport): readonly Span[] {
  const before = base ? base.total_tokens.before : tokens.before;
  if (before === null) return [];
  const growth = tokens.after - before;
  return [`, ${growthText(growth)} ${growth === 0 ? "as" : "than"} `, noteName(base?.name ?? file)];
}

function changedDefinitions(definitions: LockReport): readonly Section[] {
  return [...diffSections(definitions.diffs), ...baseDiffs(definitions)];
}
