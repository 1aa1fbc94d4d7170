import { escapeUnsafe, clip } from "#kit/text/unsafe-text.ts";
import { textIn, type Document, type Section, spansIn, type Text } from "./document.ts";

/** Names become code; prose cannot form markup, HTML, links or mentions. */
export function markdownText(text: Text): string {
  return spansIn(text)
    .map((span) =>
      typeof span === "string" ? escapeMarkdown(span) : codeSpan(clip(span.name, span.columnsMax)),
    )
    .join("");
}

/**
 * Everything that Markdown, HTML inside it, or a forge would act on. A `~` between a space and a number, as in
 * `~1,200 tokens`, stays: it may open strikethrough but, with all others escaped, nothing closes it.
 */
const active = /[\\`*_[\]|<&@#]|~(?![\d\s])|(?<=[^\s(])~|:\/\/|\bwww\./g;

/** An entity, because a forge decodes text before it searches for mentions. */
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
  return escapeUnsafe(prose).replaceAll(active, (found) => entities[found] ?? `\\${found}`);
}

/** Backticks would end the code and pipes the table cell, where a backslash escapes neither. */
function codeSpan(name: string): string {
  return `\`${name.replaceAll("`", "\\u0060").replaceAll("|", "\\u007c")}\``;
}

export function renderMarkdown(document: Document): string {
  return `${markdownBlocks(document).join("\n\n")}\n`;
}

export function markdownBlocks(document: Document): readonly string[] {
  const sections = document.sections.map(linesIn).filter(({ length }) => length > 0);
  return [`### ${markdownText(document.title)}`, ...sections.map((lines) => lines.join("\n"))];
}

function linesIn(section: Section): readonly string[] {
  switch (section.kind) {
    case "grid":
      return section.rows.length === 0 ? [] : tableLines(section);
    case "notes":
      return section.notes.map(
        ({ label, text }) => `- **${markdownText(label)}**: ${markdownText(text)}`,
      );
    case "line":
      return [markdownText(section.text)];
    case "diff":
      return diffLines(section);
  }
}

/** The fence is longer than any row of backticks inside, so that no text can end it. */
function diffLines({ title, lines }: Extract<Section, { kind: "diff" }>): readonly string[] {
  if (lines.length === 0) return [];
  const rows = lines.map(({ sign, parts }) =>
    escapeUnsafe(`${sign} ${parts.map(({ text }) => text).join("")}`.trimEnd()),
  );
  const longest = Math.max(
    0,
    ...rows.flatMap((row) => row.match(/`+/g) ?? []).map(({ length }) => length),
  );
  const fence = "`".repeat(Math.max(3, longest + 1));
  const folded = [
    "<details><summary>Diff</summary>",
    "",
    `${fence}diff`,
    ...rows,
    fence,
    "",
    "</details>",
  ];
  return [markdownText(title), "", ...folded];
}

function tableLines({ columns, rows }: Extract<Section, { kind: "grid" }>): readonly string[] {
  const heads = columns.map(({ head }) => markdownText(head));
  const rule = columns.map(({ isNumber }) => (isNumber === true ? "---:" : "---"));
  const body = rows.map((cells) => cells.map((cell) => markdownText(textIn(cell))));
  return [heads, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`);
}
