export function mdocText(text: string): string {
  const escaped = escapeCharacters(text);
  // A line that begins with a dot or an apostrophe is a request.
  return escaped.replaceAll(/^(?=[.'])/gm, "\\&");
}

export function mdocArgument(text: string): string {
  // `\&` keeps it from being read as the name of a macro or as punctuation.
  const escaped = `\\&${escapeCharacters(text).replaceAll('"', "\\(dq")}`;
  return /\s/.test(escaped) ? `"${escaped}"` : escaped;
}

/** Dashes are those that a user types; other characters beyond ASCII are named by their numbers. */
function escapeCharacters(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll(/[^\n\u0020-\u007e]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
    });
}

export function mdocLiteral(lines: readonly string[]): string {
  return [".Bd -literal -offset indent", mdocText(lines.join("\n")), ".Ed"].join("\n");
}

export function mdocList(rows: readonly (readonly [term: string, meaning: string])[]): string {
  return [
    ".Bl -tag -width Ds",
    ...rows.map(([term, meaning]) => `.It ${term}\n${mdocText(sentence(meaning))}`),
    ".El",
  ].join("\n");
}

export function sentence(clause: string): string {
  const [first = ""] = clause;
  return `${first.toUpperCase()}${clause.slice(1)}${clause.endsWith(".") ? "" : "."}`;
}
