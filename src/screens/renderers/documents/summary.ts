import type { Summary } from "#records/summary.ts";
import type { Document, Span } from "../document.ts";
import { separated } from "./parts.ts";
import { summaryGrid } from "./summary-grid.ts";
import { summaryNotes, serversNamedMax } from "./summary-notes.ts";
import { tokenFormat } from "./token-format.ts";

/** The title of one among several names its estimator. */
export function summaryDocument(summary: Summary, isOneOfSeveral = false): Document {
  const format = tokenFormat(summary.estimation?.is_estimated !== false);
  return {
    title: isOneOfSeveral ? [...title(summary), ...countedBy(summary)] : title(summary),
    sections: [
      summaryGrid(summary, format),
      { kind: "notes", notes: summaryNotes(summary, format) },
    ],
  };
}

function title({ servers, clients, sessions }: Summary): readonly Span[] {
  return [
    "mcp-meter: ",
    ...nameList(servers),
    ...(clients.length > 0 ? [" for ", ...nameList(clients)] : []),
    ...(sessions === 1 ? [] : [`, ${sessions} sessions`]),
  ];
}

function countedBy({ estimation }: Summary): readonly Span[] {
  if (!estimation) return [", counted in an unknown way"];
  return [", counted by ", { name: estimation.estimator }];
}

function nameList(names: readonly string[]): readonly Span[] {
  return separated(names.slice(0, serversNamedMax).map((name) => [{ name }]));
}
