import type { CheckFailure } from "#check/failure.ts";
import type { CheckReport } from "#check/report.ts";
import type { UserError } from "#errors.ts";
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
  /** Start of the check, as `2026-07-28T09:00:00` in UTC. */
  readonly timestamp: string;
  /** A random word; GitHub ignores commands between two of them. */
  readonly token: string;
};

/** A check that was made: its verdict, and the document and the data that a command prints of it. */
export type CheckPrintout = {
  readonly report: CheckReport;
  readonly document: Document;
  /** For the comment of a pull request. */
  readonly comment: Document;
  readonly data: unknown;
  /** The reason why the check ended early: the reports have the calls until then. */
  readonly failure?: UserError | undefined;
};

/** The printout of `check`. */
export function checkPrintout(report: CheckReport): CheckPrintout {
  return {
    report,
    document: checkDocument(report),
    comment: commentDocument(report),
    data: report,
  };
}

/** The printout of `lock`, as a check without calls. A lock that is written has no verdict to comment on. */
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

/** The check in that format. Ends with a newline. */
export function renderCheck(
  format: CheckFormat,
  check: CheckPrintout,
  options: CheckPrintOptions,
): string {
  return renderers[format](check, options);
}

/** A check that could not be made in that format: whole, for the programs that read it; as a table nothing. */
export function renderFailure(
  format: CheckFormat,
  failure: CheckFailure,
  options: CheckPrintOptions,
): string {
  return failureRenderers[format](failure, options);
}
