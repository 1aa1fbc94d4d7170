import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { findMeterWord, type ConfiguredServer } from "./configured-entries.ts";
import type { ClientId } from "./ids.ts";

export type Launch = {
  readonly command: readonly string[];
  readonly entryEnv: Readonly<{ [name: string]: string }>; // the variables that the entry sets
  readonly env: Readonly<{ [name: string]: string }>; // `entryEnv`, and the variables that the client passes on
  readonly cwd: string | undefined;
};

export type NoLaunch =
  | { readonly kind: "remote" }
  | { readonly kind: "placeholder"; readonly placeholder: string }
  | { readonly kind: "env_file" };

export function resolveLaunch(
  { entry, command }: ConfiguredServer,
  rule: LaunchRule,
  values: PlaceholderValues,
): Launch | NoLaunch {
  const words = command && removeMeter(command);
  if (words === undefined || words.length === 0) return { kind: "remote" };
  if (readString(entry, "envFile") !== undefined) return { kind: "env_file" };
  const cwd = readString(entry, "cwd") ?? values.project;
  let unfilled: string | undefined;
  const fill = (text: string): string => {
    const filling = fillPlaceholders(text, rule.placeholders, values);
    if ("text" in filling) return filling.text;
    unfilled ??= filling.unfilled;
    return "";
  };
  const filled = { command: words.map(fill), cwd: cwd === undefined ? undefined : fill(cwd) };
  const entryEnv = Object.fromEntries(
    readVariables(entry).map(([name, value]) => [name, fill(value)]),
  );
  if (unfilled !== undefined) return { kind: "placeholder", placeholder: unfilled };
  const passed = pickPassedVariables(values.env, rule, readRequestedNames(entry));
  return { ...filled, entryEnv, env: { ...passed, ...entryEnv } };
}

function removeMeter(words: readonly string[]): readonly string[] | undefined {
  const word = findMeterWord(words);
  if (word === undefined) return words;
  const after = words.slice(words.indexOf(word) + 1);
  const separator = after.indexOf("--");
  if (separator >= 0) return removeMeter(after.slice(separator + 1));
  // `mcp-meter mcp` is a server itself.
  return after[0] === "mcp" ? words : undefined;
}

// The variables are in `env`, `environment` (OpenCode, Kilo Code), `envs` (Goose) or `command.env` (older Zed).
export function readVariables(
  entry: JsonObject,
): readonly (readonly [name: string, value: string])[] {
  const { env, environment, envs, command } = entry;
  const members = [env, environment, envs, readMember(command, "env")].find(isObject) ?? {};
  return Object.entries(members).flatMap(([name, value]) => {
    const isValue = ["string", "number", "boolean"].includes(typeof value);
    // The system accepts no NUL, and no `=` in a name.
    const isUsable = isValue && /^[^=\0]+$/.test(name) && !String(value).includes("\0");
    return isUsable ? [[name, String(value)] as const] : [];
  });
}

function readRequestedNames(entry: JsonObject): ReadonlySet<unknown> {
  const { env_vars: names } = entry;
  return new Set(Array.isArray(names) ? names.map((item) => readString(item, "name") ?? item) : []);
}

function pickPassedVariables(
  env: PlaceholderValues["env"],
  { passesOn }: LaunchRule,
  requested: ReadonlySet<unknown>,
): { readonly [name: string]: string } {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (passesOn(name) || requested.has(name)) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(passed);
}

type LaunchRule = {
  // The name that the client sends in its `clientInfo`.
  readonly clientName: string;
  readonly placeholders: PlaceholderForm;
  readonly passesOn: (variable: string) => boolean;
};

const codexVariables = new Set([
  "HOME",
  "LANG",
  "LC_ALL",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
]);

const isPassedByCodex = (variable: string): boolean =>
  codexVariables.has(variable) || /^SSL_CERT_|_CA_(?:BUNDLE|CERTS)$/.test(variable);

const isPassedByGemini = (variable: string): boolean => !variable.toUpperCase().includes("TOKEN");

const rules: { readonly [id in ClientId]?: Partial<LaunchRule> } = {
  "claude-code": { placeholders: "braces" },
  "claude-desktop": { clientName: "claude-ai" },
  codex: { clientName: "codex-mcp-client", passesOn: isPassedByCodex },
  "vs-code": { clientName: "visual studio code", placeholders: "editor" },
  cursor: { clientName: "cursor-vscode", placeholders: "editor" },
  "gemini-cli": {
    clientName: "gemini-cli-mcp-client",
    placeholders: "shell",
    passesOn: isPassedByGemini,
  },
  opencode: { placeholders: "curly" },
  "qwen-code": { clientName: "qwen-cli-mcp-client", placeholders: "shell" },
  windsurf: { placeholders: "editor" },
  "roo-code": { placeholders: "editor" },
  "cline-cli": { clientName: "@cline/core" },
  "kilo-code": { clientName: "kilo", placeholders: "curly" },
  continue: { placeholders: "secrets" },
  kiro: { placeholders: "braces" },
  kimi: { clientName: "kimi-code" },
};

// `passesOn` was measured for Claude Code, Codex and Gemini CLI (docs/clients.md), and is an assumption
// for other clients. `placeholders` follows the vendors' documents.
export function findLaunchRule(id: ClientId): LaunchRule {
  return { clientName: id, placeholders: "none", passesOn: () => true, ...rules[id] };
}

// braces: `${VAR}` and `${VAR:-default}`; shell: also `$VAR`; editor: `${env:VAR}`, `${userHome}` and more;
// curly: `{env:VAR}`; secrets: `${{ secrets.VAR }}`.
export type PlaceholderForm = "none" | "braces" | "shell" | "editor" | "curly" | "secrets";

export type PlaceholderValues = {
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly home: string;
  readonly project: string | undefined;
};

// `unfilled` is the first placeholder without a known value, with its name hidden: `${input:…}`, `${{…}}`.
type FillResult = { readonly text: string } | { readonly unfilled: string };

type FillPlaceholder = (
  captures: readonly (string | undefined)[],
  values: PlaceholderValues,
) => string | undefined;

type PlaceholderRule = { readonly pattern: RegExp; readonly fill: FillPlaceholder };

const fillVariable: FillPlaceholder = ([match, name = "", fallback], { env }) =>
  env[name] ?? fallback ?? match;

// Editors replace an unset variable with nothing.
const fillEditorPlaceholder: FillPlaceholder = ([, kind, name], { env, home, project }) => {
  if (kind === "env" && name !== undefined) return env[name] ?? "";
  if (name !== undefined) return undefined;
  if (kind === "userHome") return home;
  if (kind === "pathSeparator" || kind === "/") return "/";
  return kind === "workspaceFolder" || kind === "workspaceRoot" ? project : undefined;
};

const fillCurlyPlaceholder: FillPlaceholder = ([, kind, name = ""], { env }) =>
  kind === "env" ? (env[name] ?? "") : undefined;

const placeholderRules: { readonly [form in Exclude<PlaceholderForm, "none">]: PlaceholderRule } = {
  braces: { pattern: /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, fill: fillVariable },
  shell: {
    pattern: /\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))/g,
    fill: ([match, braced, fallback, bare], values) =>
      fillVariable([match, braced ?? bare, fallback], values),
  },
  editor: { pattern: /\$\{([A-Za-z]+|\/)(?::([^}]*))?\}/g, fill: fillEditorPlaceholder },
  curly: { pattern: /\{(env|file):([^{}]*)\}/g, fill: fillCurlyPlaceholder },
  secrets: { pattern: /\$\{\{[^{}]*\}\}/g, fill: () => undefined },
};

export function fillPlaceholders(
  text: string,
  form: PlaceholderForm,
  values: PlaceholderValues,
): FillResult {
  if (form === "none") return { text };
  const { pattern, fill } = placeholderRules[form];
  let unfilled: string | undefined;
  const filled = text.replaceAll(pattern, (...groups: readonly unknown[]) => {
    // The last two groups are the offset and the whole text.
    const captures = groups
      .slice(0, -2)
      .map((group) => (typeof group === "string" ? group : undefined));
    const value = fill(captures, values);
    if (value === undefined) unfilled ??= hideName(captures[0] ?? "");
    return value ?? "";
  });
  return unfilled === undefined ? { text: filled } : { unfilled };
}

function hideName(placeholder: string): string {
  return placeholder.replace(/:[^}]*/, ":…").replace(/\{\{[^}]*/, "{{…");
}

export function hasPlaceholder(text: string): boolean {
  return /\$\{|\{\{|\{(?:env|file):|\$[A-Za-z_(]/.test(text);
}
