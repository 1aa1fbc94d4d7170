/** Not at all; `${VAR}` and `${VAR:-default}`; also `$VAR`; `${env:VAR}` as editors do; `{env:VAR}`; or `${{ secrets.VAR }}`. */
export type PlaceholderForm = "none" | "braces" | "shell" | "editor" | "curly" | "secrets";

export type PlaceholderValues = {
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly home: string;
  readonly project: string | undefined;
};

/** `unfilled` is a placeholder that only the client can fill, `${input:…}` without its name. */
export type Filled = { readonly text: string } | { readonly unfilled: string };

type Part = string | undefined;

type Fill = (parts: readonly Part[], values: PlaceholderValues) => string | undefined;

type Rule = { readonly pattern: RegExp; readonly fill: Fill };

/** A variable that is not set stays as written. */
const variable: Fill = ([whole, name = "", fallback], { env }) => env[name] ?? fallback ?? whole;

/** Editors replace a variable that is not set by nothing. */
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

function withoutName(placeholder: string): string {
  return placeholder.replace(/:[^}]*/, ":…").replace(/\{\{[^}]*/, "{{…");
}

export function hasPlaceholder(text: string): boolean {
  return /\$\{|\{\{|\{(?:env|file):|\$[A-Za-z_(]/.test(text);
}
