import { clip } from "#kit/text/display.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { spansIn, type Text } from "./document.ts";

/** No control character, nothing that moves or hides text, and no command to a CI runner, which obeys `::` and `##[` at the beginning or inside of a line. */
export function terminalText(text: Text): string {
  return spansIn(text)
    .map((span) =>
      typeof span === "string" ? escapeUnsafe(span) : clip(span.name, span.columnsMax),
    )
    .join("")
    .replace(/^\s*::/, "\\u003a:")
    .replaceAll("##[", "\\u0023#[");
}
