import type { CheckReport, CheckFailure } from "#check/report.ts";
import type { UserError } from "#kit/errors.ts";
import { renderCheckBadge, renderFailureBadge } from "./badge.ts";
import { type Document, renderJson } from "./document.ts";
import { buildCheckDocument } from "./documents/check.ts";
import { buildCommentDocument, buildFailureDocument } from "./documents/check-comment.ts";
import { buildLockDocument } from "./documents/lock.ts";
import type { CheckFormat } from "./formats.ts";
import { renderGithub, renderGithubFailure } from "./github.ts";
import { renderJunit, renderJunitFailure } from "./junit.ts";
import { renderSarif, renderSarifFailure } from "./sarif.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { renderBlocks } from "./markdown.ts";
import { makeRelativeUri } from "./documents/shared-texts.ts";

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
