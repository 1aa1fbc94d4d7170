/**
 * What may hide or move text on a screen, or is no character at all: controls, bidirectional and other
 * format marks, zero-width and ignorable characters, line separators, private use, lone surrogates.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text with everything unsafe as a visible escape in JSON's notation, such as `\u202e`. */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(unsafe, (found) =>
    // By UTF-16 code unit, as JSON escapes.
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** JSON text with everything unsafe inside its strings escaped: the same value, safe on a screen. */
export function safeJson(value: unknown, indent?: number): string {
  // The only raw newlines of JSON text are those of the indentation.
  const lines = JSON.stringify(value, undefined, indent).split("\n");
  return lines.map(escapeUnsafe).join("\n");
}
