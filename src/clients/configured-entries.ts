import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import type { UserHome } from "#history/imports/importer.ts";

export type ConfiguredEntry = {
  readonly rawName: string;
  readonly path: readonly (string | number)[];
  readonly form: EntryForm | undefined; // undefined: a remote server
  readonly words: readonly unknown[];
  readonly isDisabled: boolean;
  readonly entry: JsonObject;
};

export function findEntries(
  { serverPaths, entryForms }: Pick<ClientSettings, "serverPaths" | "entryForms">,
  value: unknown,
): readonly ConfiguredEntry[] {
  return serverPaths
    .flatMap((path) => findMembers({ path: [], value }, path))
    .flatMap((member) => parseEntry(member, entryForms));
}

type SettingsNode = { readonly path: ConfiguredEntry["path"]; readonly value: unknown };

type NamedNode = SettingsNode & { readonly rawName: string };

function findMembers(
  node: SettingsNode,
  [step, ...deeper]: readonly string[],
): readonly NamedNode[] {
  if (step === undefined) return listMembers(node);
  const { path, value } = node;
  const next =
    step === "*" ? listMembers(node) : [{ path: [...path, step], value: readMember(value, step) }];
  return next.flatMap((child) => findMembers(child, deeper));
}

function listMembers({ path, value }: SettingsNode): readonly NamedNode[] {
  if (Array.isArray(value)) {
    return value.map((entry: unknown, at) => {
      return { rawName: readString(entry, "name") ?? "", path: [...path, at], value: entry };
    });
  }
  if (!isObject(value)) return [];
  return Object.entries(value).map(([rawName, entry]) => {
    return { rawName, path: [...path, rawName], value: entry };
  });
}

function parseEntry(
  { rawName, path, value }: NamedNode,
  entryForms: readonly EntryForm[],
): readonly ConfiguredEntry[] {
  if (!isObject(value)) return [];
  const isDisabled = value["enabled"] === false || value["disabled"] === true;
  const form = entryForms.find((candidate) => wordReaders[candidate](value).length > 0);
  const facts = { rawName, path, form, isDisabled, entry: value };
  if (form !== undefined) return [{ ...facts, words: wordReaders[form](value) }];
  return isRemote(value) ? [{ ...facts, words: [] }] : [];
}

const wordReaders: { readonly [form in EntryForm]: (entry: JsonObject) => readonly unknown[] } = {
  command: (entry) => readCommand(entry, "command"),
  cmd: (entry) => readCommand(entry, "cmd"),
  array: ({ command }) =>
    Array.isArray(command) && command.some((value) => typeof value === "string") ? command : [],
  nested: ({ command }) => (isObject(command) ? readCommand(command, "path") : []),
};

function readCommand(entry: JsonObject, name: string): readonly unknown[] {
  const program = readString(entry, name);
  const args = entry["args"];
  if (program === undefined) return [];
  return [program, ...(Array.isArray(args) ? args : [])];
}

function isRemote(entry: JsonObject): boolean {
  return ["url", "serverUrl", "httpUrl", "uri"].some(
    (name) => readString(entry, name) !== undefined,
  );
}

export type ConfiguredServer = {
  readonly rawName: string;
  readonly command: readonly string[] | undefined; // undefined: a remote server
  readonly entry: JsonObject;
};

export function findServers(
  client: Pick<ClientSettings, "serverPaths" | "entryForms">,
  value: unknown,
): readonly ConfiguredServer[] {
  const entries = findEntries(client, value).filter(({ isDisabled }) => !isDisabled);
  return entries.map(({ rawName, form, words, entry }) => {
    const texts = words.filter((word) => typeof word === "string");
    return { rawName, command: form === undefined ? undefined : texts, entry };
  });
}

// Each pattern matches the words between starter and program, such as `run` in `bun run mcp-meter`. Options are always
// skipped.
const starters = new Map<string, RegExp>([
  ["npx", /^$/],
  ["bunx", /^$/],
  ["bun", /^(?:run|x)$/],
  ["node", /^$/],
]);

const packageManagers = new Set(["npm", "pnpm", "yarn"]);
const startVerbs = new Set(["exec", "dlx", "x"]);

// In `cmd /c npx -y mcp-meter@1.0`, finds `mcp-meter@1.0`.
export function findMeterWord(words: readonly string[]): string | undefined {
  const isShell = parseProgramName(words[0] ?? "") === "cmd";
  const startIndex = isShell
    ? words.findIndex((word, at) => at > 0 && !/^\/[a-z]$/i.test(word))
    : 0;
  const [first = "", ...args] = startIndex < 0 ? [] : words.slice(startIndex);
  const name = parseProgramName(first);
  if (name === "mcp-meter") return first;
  const started = findStartedWord(name, args);
  const program = parseProgramName(started.replace(/@[^@/\\]*$/, "")).replace(/\.[cm]?js$/, "");
  return program === "mcp-meter" ? started : undefined;
}

function findStartedWord(starter: string, args: readonly string[]): string {
  const [verb = "", ...words] = args;
  if (packageManagers.has(starter)) return startVerbs.has(verb) ? findFirstWord(words, /^$/) : "";
  const allowedBetween = starters.get(starter);
  return allowedBetween === undefined ? "" : findFirstWord(args, allowedBetween);
}

function findFirstWord(words: readonly string[], allowedBetween: RegExp): string {
  return words.find((word) => !word.startsWith("-") && !allowedBetween.test(word)) ?? "";
}

// A name with `.exe` or `.cmd` is from Windows, where case does not matter: `C:\node\NPX.cmd` is `npx`.
function parseProgramName(word: string): string {
  const name = word.replace(/^.*[/\\]/s, "");
  const bare = name.replace(/\.(?:exe|cmd)$/i, "");
  return bare === name ? name : bare.toLowerCase();
}

// Undefined unless the command line runs mcp-meter with a server after `--`.
export function countWordsBeforeServer(words: readonly unknown[]): number | undefined {
  const texts = words.map((word) => (typeof word === "string" ? word : ""));
  const meterWord = findMeterWord(texts);
  if (meterWord === undefined) return undefined;
  const separator = texts.indexOf("--", texts.indexOf(meterWord));
  return separator < 0 || (texts[separator + 1] ?? "") === "" ? undefined : separator + 1;
}

// `command`, `cmd`: the member with this name is the program, and `args` are its arguments. `array`: `command` is the
// whole command line. `nested`: `command` is an object with `path` and `args`.
export type EntryForm = "command" | "cmd" | "array" | "nested";

export type SettingsLanguage = "json" | "toml" | "yaml";

export type ClientSettings = {
  readonly name: string;
  files(home: UserHome): readonly string[];
  readonly language: SettingsLanguage;
  // Each path names the members that lead to the servers in a file, outermost first; `*` matches any name.
  readonly serverPaths: readonly (readonly string[])[];
  readonly entryForms: readonly EntryForm[];
  readonly projectFiles: readonly string[];
  // Only the client Continue has this folder. It contains one file for each block of settings.
  readonly blockFolder?: string;
  readonly restartTarget: "application" | "session" | "servers";
};
