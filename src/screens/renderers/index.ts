import { type Document, renderJson } from "./document.ts";
import type { DocumentFormat } from "./formats.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

export type Printout = { readonly document: Document; readonly data: unknown };

const renderers: {
  readonly [format in DocumentFormat]: (printout: Printout, options: TerminalOptions) => string;
} = {
  table: ({ document }, options) => renderTerminal(document, options),
  markdown: ({ document }) => renderMarkdown(document),
  json: ({ data }) => renderJson(data),
};

export function render(
  format: DocumentFormat,
  printout: Printout,
  options: TerminalOptions,
): string {
  return renderers[format](printout, options);
}
