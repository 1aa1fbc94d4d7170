/** Removes secrets from a text of the server. */
export type Redact = (text: string) => string;

/**
 * Replaces each value by the name of its variable, as `${NAME}`: the value itself, as JSON escapes it once and twice, and
 * percent-encoded. Longer values first, so that none is cut by one that it contains.
 */
export function createRedact(secrets: ReadonlyMap<string, string>): Redact {
  const shownByForm = new Map(
    [...secrets]
      .filter(([, value]) => value !== "")
      .flatMap(([name, value]) => formsOf(value).map((form) => [form, `\${${name}}`] as const)),
  );
  const forms = [...shownByForm.keys()].toSorted((one, other) => other.length - one.length);
  if (forms.length === 0) return (text) => text;
  const anyForm = new RegExp(forms.map((form) => RegExp.escape(form)).join("|"), "g");
  return (text) => text.replaceAll(anyForm, (form) => shownByForm.get(form) ?? "");
}

function formsOf(value: string): string[] {
  const inJson = escapedIn(value);
  // A text of an answer is often JSON, and a report may quote it as JSON again.
  const forms = [value, inJson, escapedIn(inJson), encodeURIComponent(value.toWellFormed())];
  return [...new Set(forms)];
}

function escapedIn(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
