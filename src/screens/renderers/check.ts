import type { CheckFailure } from "#check/failure.ts";
import type { CheckReport } from "#check/report.ts";
import type { UserError } from "#kit/errors.ts";
import { renderCheckBadge, renderFailureBadge } from "./badge.ts";
import { renderComment } from "./comment.ts";
import type { Document } from "./document.ts";
import { checkDocument } from "./documents/check.ts";
import { commentDocument, failureDocument } from "./documents/comment.ts";
import { lockDocument } from "./documents/lock.ts";
import type { CheckFormat } from "./formats.ts";
import { renderGithub, renderGithubFailure } from "./github.ts";
import { renderJson } from "./json.ts";
import { renderJunit, renderJunitFailure } from "./junit.ts";
import { renderSarif, renderSarifFailure } from "./sarif.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

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
