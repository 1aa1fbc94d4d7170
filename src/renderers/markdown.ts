import type { Summary } from "#records/summary.ts";
import { headings, tableRows } from "./columns.ts";
import { notesOf } from "./notes.ts";
import { titleOf } from "./table.ts";

/** The summary as GitHub-flavoured Markdown; names from the wire are code. */
export function renderMarkdown(summary: Summary): string {
  const { rows, total } = tableRows(summary);
  const rule = headings.map((_, at) => (at === 0 || at === headings.length - 1 ? "---" : "---:"));
  const named = rows.map(([name = "", ...numbers]) => row([code(name), ...numbers]));
  const table = [row(headings), row(rule), ...named, row(total)];
  const notes = notesOf(summary, code, escaped).map((note) => `- **${note.about}**: ${note.says}`);
  const body = summary.total.calls > 0 ? [...table, ""] : [];
  return `${[`### ${titleOf(summary, code)}`, "", ...body, ...notes].join("\n")}\n`;
}

/** A name as code that ends where it should, in a table cell too. */
function code(name: string): string {
  return `\`${name.replaceAll("`", "\\u0060").replaceAll("|", "\\u007c")}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Text that Markdown and the HTML inside it leave alone. */
function escaped(text: string): string {
  const noHtml = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return noHtml.replaceAll(/[\\`*_[\]#|~@!]/g, (found) => `\\${found}`);
}
