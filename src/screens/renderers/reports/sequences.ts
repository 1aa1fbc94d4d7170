import type { CallSequence, SequencedTool } from "#history/reports/replay/call-sequences.ts";
import { formatCount, formatShare } from "#kit/text/numbers.ts";
import { noteMoreRows } from "../documents/usage-columns.ts";
import { type Document, type Row, renderJson } from "../document.ts";
import type { DocumentFormat } from "../formats.ts";
import { render } from "../index.ts";
import type { TerminalOptions } from "../terminal.ts";

export type SequencesReport = {
  readonly schema_version: "1.0";
  readonly period: string;
  readonly sequences: readonly CallSequence[];
  readonly more: number;
};

export function renderSequences(
  format: DocumentFormat,
  data: SequencesReport,
  options: TerminalOptions,
): string {
  if (format === "json") return renderJson(data);
  return render(format, { document: buildSequencesDocument(data), data }, options);
}

function buildSequencesDocument({ period, sequences, more }: SequencesReport): Document {
  if (sequences.length === 0) {
    return { title: `mcp-meter: no calls of one tool after another in ${period}`, sections: [] };
  }
  return {
    title: `mcp-meter: calls that follow each other, ${period}`,
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "first" },
          { head: "then" },
          { head: "times", isNumber: true },
          { head: "tokens", isNumber: true },
          { head: "share", isNumber: true },
        ],
        rows: sequences.map(({ first, next, times, tokens, share }): Row => [
          nameTool(first),
          nameTool(next),
          formatCount(times),
          `~${formatCount(tokens)}`,
          formatShare(share),
        ]),
      },
      ...noteMoreRows(more, "sequence"),
      {
        kind: "notes",
        notes: [
          {
            label: "note",
            text: "× is the mean number of calls; a call between two others belongs to two sequences, so shares do not add up",
          },
        ],
      },
    ],
  };
}

function nameTool({ server, tool, calls }: SequencedTool): { readonly name: string } {
  const times = Math.round(calls * 10) / 10;
  return { name: `${server} · ${tool}${times > 1 ? ` ×${times}` : ""}` };
}
