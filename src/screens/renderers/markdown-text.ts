import { clip } from "#kit/text/display.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { spansIn, type Text } from "./document.ts";

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
