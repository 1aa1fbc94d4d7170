import type { CheckReport, Problem, CheckFailure } from "#check/report.ts";
import type { UserError } from "#kit/errors.ts";
import { renderCheckBadge, renderFailureBadge } from "./badge.ts";
import { type Document, type Span, type Text, renderJson } from "./document.ts";
import {
  buildCheckDocument,
  buildCallSections,
  buildProblemSections,
  listVerdictNotes,
  mergeRounds,
} from "./documents/check.ts";
import {
  buildLockDocument,
  buildBaseDiffs,
  buildBaseDrifts,
  makeBaseNote,
  describeTokenGrowth,
} from "./documents/lock.ts";
import type { CheckFormat } from "./formats.ts";
import { renderJunit, renderJunitFailure } from "./junit.ts";
import { renderSarif, renderSarifFailure } from "./sarif.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { renderBlocks } from "./markdown.ts";
import {
  makeRelativeUri,
  describeProblem,
  makeNoteName,
  nameServer,
} from "./documents/shared-texts.ts";
import { clip, problemColumnsMax } from "#kit/text/unsafe-text.ts";
import type { LockReport } from "#lock/lock-report.ts";
import {
  buildCostSections,
  buildDiffSections,
  buildDriftSections,
} from "./documents/drift-sections.ts";

// GitHub shows only a few lines of an annotation.
const annotationProblemsMax = 5;

// GitHub's runner ignores commands between the two tokens, so it executes none that the table contains.
export function renderGithub(
  document: Document,
  report: CheckReport,
  { color, token }: TerminalOptions & { readonly token: string },
): string {
  const table = renderTerminal(document, { color });
  const shieldedTable = `::stop-commands::${token}\n${table}::${token}::\n`;
  return report.problems.length === 0
    ? shieldedTable
    : `${shieldedTable}${formatAnnotation(report)}\n`;
}

function renderGithubFailure({ error }: CheckFailure): string {
  return `::error title=mcp-meter::${escapeData(clip(error, problemColumnsMax))}\n`;
}

function formatAnnotation({ problems, failed, server }: CheckReport): string {
  const level = failed ? "error" : "warning";
  const title = clip(`mcp-meter: ${server.name ?? "server"}`, problemColumnsMax);
  return `::${level} title=${escapeProperty(title)}::${escapeData(formatMessage(mergeRounds(problems)))}`;
}

function formatMessage(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, annotationProblemsMax)
    .map((problem) => clip(describeProblem(problem), problemColumnsMax));
  const omitted = problems.length - lines.length;
  return [...lines, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join("\n");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

// GitHub accepts 65,536 characters in a comment and 128 KiB in a variable of a step.
const commentCharactersMax = 65_000;

const commentNoteCharactersMax = 200;

// The next run finds its comment by the hidden first line, which names the lock.
export function renderComment(document: Document, lockFile: string): string {
  const blocks = [formatMarker(lockFile), ...renderBlocks(document)];
  const comment = joinBlocks(blocks);
  return measureText(comment) <= commentCharactersMax ? comment : joinBlocks(fitBlocks(blocks));
}

function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}

function fitBlocks(blocks: readonly string[]): readonly string[] {
  const fitted: string[] = [];
  let room = commentCharactersMax - commentNoteCharactersMax;
  for (const block of blocks) {
    // With the empty line after the block.
    const size = measureText(block) + 2;
    if (size > room) continue;
    fitted.push(block);
    room -= size;
  }
  const omitted = pluralize(blocks.length - fitted.length, "more section");
  const note = `_Cut here: ${omitted} would exceed the length limit of a comment; use --format json._`;
  return [...fitted, note];
}

// GitHub limits both characters and bytes, so a text counts as half its bytes if that is more.
function measureText(text: string): number {
  return Math.max(text.length, new TextEncoder().encode(text).length / 2);
}

// Two dashes would end the HTML comment.
function formatMarker(lockFile: string): string {
  return `<!-- mcp-meter check: ${makeRelativeUri(lockFile).replaceAll("--", "-%2D")} -->`;
}

export type CheckPrintOptions = TerminalOptions & {
  readonly timestamp: string;
  readonly token: string;
};

export type CheckPrintout = {
  readonly report: CheckReport;
  readonly document: Document;
  readonly comment: Document;
  readonly data: unknown;
  readonly failure?: UserError | undefined;
};

export function buildCheckPrintout(report: CheckReport): CheckPrintout {
  return {
    report,
    document: buildCheckDocument(report),
    comment: buildCommentDocument(report),
    data: report,
  };
}

export function buildLockPrintout(report: CheckReport, isWriting: boolean): CheckPrintout {
  const document = buildLockDocument(report.definitions, isWriting);
  const comment = isWriting ? document : buildCommentDocument(report);
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
  // The error is printed to stderr.
  table: () => "",
  markdown: (failure) => renderComment(buildFailureDocument(failure), failure.lock_file),
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

export function renderFailure(
  format: CheckFormat,
  failure: CheckFailure,
  options: CheckPrintOptions,
): string {
  return failureRenderers[format](failure, options);
}

export function buildCommentDocument(report: CheckReport): Document {
  const { definitions, problems } = report;
  const { base } = definitions;
  return {
    title: describeOutcome(report),
    sections: [
      ...buildCostSections(base ?? definitions),
      ...buildDriftSections(definitions.drifts),
      ...buildBaseDrifts(definitions),
      ...buildProblemSections(problems.filter(({ place }) => place !== "lock")),
      ...buildCallSections(report),
      {
        kind: "notes",
        notes: [...(base ? [makeBaseNote(base)] : []), ...listVerdictNotes(report)],
      },
      ...buildDiffSections(definitions.diffs),
      ...buildBaseDiffs(definitions),
    ],
  };
}

export function buildFailureDocument({ error }: CheckFailure): Document {
  return {
    title: "Failed: the server could not be checked",
    sections: [{ kind: "line", text: error }],
  };
}

function describeOutcome({ failed, server, definitions }: CheckReport): Text {
  const { tools, total_tokens: tokens } = definitions;
  return [
    failed ? "Failed: " : "Passed: ",
    nameServer(server),
    `, ${pluralize(tools.after, "tool")}, ${pluralize(tokens.after, "token")}`,
    ...describeGrowth(definitions),
  ];
}

function describeGrowth({
  base,
  lock_file: file,
  total_tokens: tokens,
}: LockReport): readonly Span[] {
  const before = base ? base.total_tokens.before : tokens.before;
  if (before === null) return [];
  const growth = tokens.after - before;
  return [
    `, ${describeTokenGrowth(growth)} ${growth === 0 ? "as" : "than"} `,
    makeNoteName(base?.name ?? file),
  ];
}
