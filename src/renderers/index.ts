import type { Summary } from "#records/summary.ts";
import type { SummaryFormat } from "./formats.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";
import type { RenderOptions } from "./options.ts";
import { renderTable } from "./table.ts";

const renderers: {
  readonly [format in SummaryFormat]: (summary: Summary, options: RenderOptions) => string;
} = {
  table: renderTable,
  markdown: renderMarkdown,
  json: renderJson,
};

/** The summary in that format: text that ends with a newline. */
export function render(format: SummaryFormat, summary: Summary, options: RenderOptions): string {
  return renderers[format](summary, options);
}
