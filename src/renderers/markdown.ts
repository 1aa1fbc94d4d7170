import type { Summary } from "#meter/summary.ts";
import { headings, tableRows } from "./columns.ts";
import { notesOf } from "./notes.ts";
import { titleOf } from "./table.ts";

/** The summary as GitHub-flavoured Markdown. */
export function renderMarkdown(summary: Summary): string {
  const { rows, total } = tableRows(summary);
  const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  const rule = headings.map((_, at) => (at === 0 || at === headings.length - 1 ? "---" : "---:"));
  const table = [row([...headings]), `| ${rule.join(" | ")} |`, ...rows.map(row), row(total)];
  const notes = notesOf(summary).map((note) => `- **${note.about}**: ${escaped(note.says)}`);
  const body = summary.total.calls > 0 ? [...table, ""] : [];
  return `${[`### ${escaped(titleOf(summary))}`, "", ...body, ...notes].join("\n")}\n`;
}

/** Text that Markdown and the HTML inside it leave alone. */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_{}[\]()#+!|~@]/g, (found) => `\\${found}`);
}
