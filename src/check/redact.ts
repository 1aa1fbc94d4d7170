export type Redact = (text: string) => string;

/**
 * Replaces each value by the name of its variable, as `${NAME}`: the value itself, as a text of JSON has it, and as a URL or
 * a form has it. Of values that begin at the same place the longest is replaced.
 */
export function createRedact(secrets: ReadonlyMap<string, string>): Redact {
  const names = new Map<string, string>();
  for (const [name, value] of secrets) {
    for (const form of writtenForms(value)) if (!names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return (text) => text;
  const longestFirst = [...names.keys()].toSorted((one, other) => other.length - one.length);
  const found = new RegExp(longestFirst.map((form) => RegExp.escape(form)).join("|"), "g");
  return (text) => text.replaceAll(found, (form) => `\${${names.get(form) ?? ""}}`);
}

function writtenForms(value: string): ReadonlySet<string> {
  // Servers remove the line end that a variable often has.
  const plain = [value, value.trim()].filter((form) => form !== "");
  const quoted = plain.flatMap((form) => [escapeJson(form), escapeAscii(escapeJson(form))]);
  // Answers are JSON, and their texts often contain JSON.
  const twice = quoted.map(escapeJson);
  const encoded = plain.flatMap((form) => encodeForUrl(form.toWellFormed()));
  return new Set([...plain, ...quoted, ...twice, ...encoded, ...encoded.map(lowerEscapes)]);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Python writes JSON in ASCII. */
function escapeAscii(text: string): string {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function encodeForUrl(text: string): string[] {
  const query = new URLSearchParams([["", text]]).toString();
  return [encodeURIComponent(text), encodeURI(text), query.slice("=".length)];
}

function lowerEscapes(encoded: string): string {
  return encoded.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
}
