/**
 * How a client writes placeholders for variables: not at all; `${VAR}` and `${VAR:-default}`; also `$VAR`; `${env:VAR}` as
 * editors do; `{env:VAR}`; or `${{ secrets.VAR }}`.
 */
export type PlaceholderForm = "none" | "braces" | "shell" | "editor" | "curly" | "secrets";

/** The values that placeholders stand for. */
export type PlaceholderValues = {
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly home: string;
  /** Folder of the project; undefined where none is named. */
  readonly project: string | undefined;
};

/** The text as a client passes it on, or the placeholder in it that only the client can fill: in the form `${input:…}`, without its name. */
export type Filled = { readonly text: string } | { readonly unfilled: string };

/** A part of a placeholder; undefined where it has none. */
type Part = string | undefined;

/** A placeholder by its parts, as filled; undefined where only the client knows it. */
type Fill = (parts: readonly Part[], values: PlaceholderValues) => string | undefined;

type Rule = { readonly pattern: RegExp; readonly fill: Fill };

/** A variable that is not set stays as it is written. */
const variable: Fill = ([whole, name = "", fallback], { env }) => env[name] ?? fallback ?? whole;

/** Editors put nothing in the place of a variable that is not set. */
const editorValue: Fill = ([, kind, name], { env, home, project }) => {
  if (kind === "env" && name !== undefined) return env[name] ?? "";
  if (name !== undefined) return undefined;
  if (kind === "userHome") return home;
  if (kind === "pathSeparator" || kind === "/") return "/";
  return kind === "workspaceFolder" || kind === "workspaceRoot" ? project : undefined;
};

const curlyValue: Fill = ([, kind, name = ""], { env }) =>
  kind === "env" ? (env[name] ?? "") : undefined;

const rules: { readonly [form in Exclude<PlaceholderForm, "none">]: Rule } = {
  braces: { pattern: /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, fill: variable },
  shell: {
    pattern: /\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))/g,
    fill: ([whole, braced, fallback, bare], values) =>
      variable([whole, braced ?? bare, fallback], values),
  },
  editor: { pattern: /\$\{([A-Za-z]+|\/)(?::([^}]*))?\}/g, fill: editorValue },
  curly: { pattern: /\{(env|file):([^{}]*)\}/g, fill: curlyValue },
  secrets: { pattern: /\$\{\{[^{}]*\}\}/g, fill: () => undefined },
};

/** Fills the placeholders in a text as a client does that writes them in this form. */
export function fillPlaceholders(
  text: string,
  form: PlaceholderForm,
  values: PlaceholderValues,
): Filled {
  if (form === "none") return { text };
  const { pattern, fill } = rules[form];
  let unfilled: string | undefined;
  const filled = text.replaceAll(pattern, (...found: readonly unknown[]) => {
    const parts = found.slice(0, -2).map((part) => (typeof part === "string" ? part : undefined));
    const value = fill(parts, values);
    if (value === undefined) unfilled ??= withoutName(parts[0] ?? "");
    return value ?? "";
  });
  return unfilled === undefined ? { text: filled } : { unfilled };
}

/** `${input:…}` for `${input:key}`: the rest may be a default value. */
function withoutName(placeholder: string): string {
  return placeholder.replace(/:[^}]*/, ":…").replace(/\{\{[^}]*/, "{{…");
}

/** True for a text with a placeholder in any form that a client knows. */
export function hasPlaceholder(text: string): boolean {
  return /\$\{|\{\{|\{(?:env|file):|\$[A-Za-z_(]/.test(text);
}
