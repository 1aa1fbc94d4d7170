import { clip } from "#kit/text/columns.ts";
import { escapeUnsafe, escapeUnsafeExceptTabs } from "#kit/text/unsafe-text.ts";
import {
  readCellText,
  type Diff,
  type Document,
  type Grid,
  type Section,
  listSpans,
  type Text,
} from "./document.ts";

function escapeText(text: Text): string {
  return listSpans(text)
    .map((span) =>
      typeof span === "string"
        ? escapeMarkdown(span)
        : renderCode(clip(span.name, span.columnsMax)),
    )
    .join("");
}

// The `~` in ` ~1,200` or `(~1,200` needs no escape: it can open a strikethrough, but cannot close one. A `~` after
// other text could close one, so it is escaped.
const markdownSyntax = /[\\`*_[\]|<&@#]|~(?![\d\s])|(?<=[^\s(])~|:\/\/|\bwww\./g;

// Breaks mentions and links. An entity for the `@` would not: forges decode entities before they look for mentions.
const zeroWidthSpace = "&#8203;";

const entities: { readonly [found: string]: string } = {
  "<": "&lt;",
  "&": "&amp;",
  "@": `@${zeroWidthSpace}`,
  "#": `#${zeroWidthSpace}`,
  "://": `:${zeroWidthSpace}//`,
  "www.": `www${zeroWidthSpace}.`,
};

function escapeMarkdown(prose: string): string {
  return escapeUnsafe(prose).replaceAll(markdownSyntax, (found) => entities[found] ?? `\\${found}`);
}

// A backtick would end the code span, even after a backslash. A `|` would end a table cell.
function renderCode(name: string): string {
  return `\`${name.replaceAll("`", "\\u0060").replaceAll("|", "\\u007c")}\``;
}

// Keeps the command unchanged, so that it can be copied. Markdown does not show the spaces inside the fences.
function renderCommand(command: string): string {
  const fence = makeFence([command], 1);
  return fence === "`" ? `\`${command}\`` : `${fence} ${command} ${fence}`;
}

function makeFence(texts: readonly string[], lengthMin: number): string {
  const runs = texts.flatMap((text) => text.match(/`+/g) ?? []).map(({ length }) => length);
  return "`".repeat(Math.max(lengthMin, ...runs.map((length) => length + 1)));
}

export function renderMarkdown(document: Document): string {
  return `${renderBlocks(document).join("\n\n")}\n`;
}

export function renderBlocks(document: Document): readonly string[] {
  const sections = document.sections.map(renderSection).filter(({ length }) => length > 0);
  return [`### ${escapeText(document.title)}`, ...sections.map((lines) => lines.join("\n"))];
}

function renderSection(section: Section): readonly string[] {
  switch (section.kind) {
    case "grid":
      return section.rows.length === 0 ? [] : renderTable(section);
    case "notes":
      return section.notes.flatMap(({ label, text, commands = [] }) => [
        `- **${escapeText(label)}**: ${escapeText(text)}`,
        ...commands.map((command) => `  - ${renderCommand(escapeUnsafe(command))}`),
      ]);
    case "line":
      return [escapeText(section.text)];
    case "diff":
      return renderDiff(section);
  }
}

function renderDiff({ title, lines }: Diff): readonly string[] {
  if (lines.length === 0) return [];
  const rows = lines.map(({ sign, parts }) =>
    escapeUnsafeExceptTabs(`${sign} ${parts.map(({ text }) => text).join("")}`).trimEnd(),
  );
  const fence = makeFence(rows, 3);
  return [
    escapeText(title),
    "",
    "<details><summary>Diff</summary>",
    "",
    `${fence}diff`,
    ...rows,
    fence,
    "",
    "</details>",
  ];
}

function renderTable({ columns, rows }: Grid): readonly string[] {
  const heads = columns.map(({ head }) => escapeText(head));
  const rule = columns.map(({ isNumber }) => (isNumber === true ? "---:" : "---"));
  const body = rows.map((cells) => cells.map((cell) => escapeText(readCellText(cell))));
  return [heads, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`);
}
