import type { AdvicePart } from "#history/reports/advice/advice-fold.ts";
import { adviceDocument } from "../documents/advice.ts";
import type { DocumentFormat } from "../formats.ts";
import { render } from "../index.ts";
import { renderJson } from "../json.ts";
import type { TerminalOptions } from "../terminal.ts";

export type AdviceReport = {
  readonly schema_version: "1.0";
  readonly period: string;
  /** One per estimator: tokens that were counted in different ways are never added up. */
  readonly blocks: readonly AdvicePart[];
};

export function renderAdvice(
  format: DocumentFormat,
  report: AdviceReport,
  options: TerminalOptions,
): string {
  if (format === "json") return renderJson(report);
  const { blocks, period } = report;
  if (blocks.length === 0) return emptyText(format, report, options);
  return blocks
    .map(({ estimation, advice }) => {
      const estimator = estimation?.estimator ?? "an unknown estimator";
      const counted = blocks.length === 1 ? [] : [", counted by ", { name: estimator }];
      const mark = estimation?.is_estimated === false ? "" : "~";
      const document = adviceDocument({ period: [period, ...counted], mark, advice });
      return render(format, { document, data: report }, options);
    })
    .join("\n");
}

function emptyText(format: DocumentFormat, report: AdviceReport, options: TerminalOptions): string {
  const document = { title: `mcp-meter: no records of ${report.period}`, sections: [] };
  return render(format, { document, data: report }, options);
}
