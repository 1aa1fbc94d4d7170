import type { CheckReport, CheckFailure } from "#check/report.ts";
import type { UserError } from "#kit/errors.ts";
import { renderCheckBadge, renderFailureBadge } from "./badge.ts";
import { type Document, renderJson } from "./document.ts";
import { buildCheckDocument } from "./documents/check.ts";
import { buildCommentDocument, buildFailureDocument, renderComment } from "./check-comment.ts";
import { buildLockDocument } from "./documents/lock.ts";
import type { CheckFormat } from "./formats.ts";
import { renderGithub, renderGithubFailure } from "./github.ts";
import { renderJunit, renderJunitFailure } from "./junit.ts";
import { renderSarif, renderSarifFailure } from "./sarif.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

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
