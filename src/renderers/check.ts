import type { CheckReport } from "#check/report.ts";
import { checkDocument } from "./documents/check.ts";
import type { CheckFormat } from "./formats.ts";
import { renderGithub } from "./github.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderSarif } from "./sarif.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

export type CheckPrintOptions = TerminalOptions & {
  /** Start of the check, as `2026-07-28T09:00:00` in UTC. */
  readonly timestamp: string;
  /** A random word; GitHub ignores commands between two of them. */
  readonly token: string;
};

const renderers: {
  readonly [format in CheckFormat]: (report: CheckReport, options: CheckPrintOptions) => string;
} = {
  table: (report, options) => renderTerminal(checkDocument(report), options),
  markdown: (report) => renderMarkdown(checkDocument(report)),
  json: renderJson,
  junit: renderJunit,
  sarif: renderSarif,
  github: renderGithub,
};

/** The check in that format. Ends with a newline. */
export function renderCheck(
  format: CheckFormat,
  report: CheckReport,
  options: CheckPrintOptions,
): string {
  return renderers[format](report, options);
}
