import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import type { LogHome } from "#history/imports/importer.ts";

export type ConfiguredEntry = {
  readonly rawName: string;
  readonly path: readonly (string | number)[];
  readonly form: EntryForm | undefined;
  readonly words: readonly unknown[];
  readonly isOff: boolean;
  readonly entry: JsonObject;
};

export function entriesIn(
  { paths, entries }: Pick<ClientSettings, "paths" | "entries">,
  value: unknown,
): readonly ConfiguredEntry[] {
  return paths
    .flatMap((path) => membersAt({ path: [], value }, path))
    .flatMap((member) => entryFrom(member, entries));
}

type Place = { readonly path: ConfiguredEntry["path"]; readonly value: unknown };

type NamedPlace = Place & { readonly rawName: string };

function membersAt(place: Place, [first, ...rest]: readonly string[]): readonly NamedPlace[] {
  if (first === undefined) return membersOf(place);
  const { path, value } = place;
  const next =
    first === "*" ? membersOf(place) : [{ path: [...path, first], value: memberAt(value, first) }];
  return next.flatMap((one) => membersAt(one, rest));
}

function membersOf({ path, value }: Place): readonly NamedPlace[] {
  if (Array.isArray(value)) {
    return value.map((entry: unknown, at) => {
      return { rawName: textAt(entry, "name") ?? "", path: [...path, at], value: entry };
    });
  }
  if (!isObject(value)) return [];
  return Object.entries(value).map(([rawName, entry]) => {
    return { rawName, path: [...path, rawName], value: entry };
  });
}

function entryFrom(
  { rawName, path, value }: NamedPlace,
  forms: readonly EntryForm[],
): readonly ConfiguredEntry[] {
  if (!isObject(value)) return [];
  const isOff = value["enabled"] === false || value["disabled"] === true;
  const form = forms.find((one) => wordsOf[one](value).length > 0);
  const facts = { rawName, path, form, isOff, entry: value };
  if (form !== undefined) return [{ ...facts, words: wordsOf[form](value) }];
  return isRemote(value) ? [{ ...facts, words: [] }] : [];
}

const wordsOf: { readonly [form in EntryForm]: (entry: JsonObject) => readonly unknown[] } = {
  command: (entry) => commandWords(entry, "command"),
  cmd: (entry) => commandWords(entry, "cmd"),
  list: ({ command }) => (Array.isArray(command) && command.some(isText) ? command : []),
  path: ({ command }) => (isObject(command) ? commandWords(command, "path") : []),
};

function commandWords(entry: JsonObject, name: string): readonly unknown[] {
  const program = textAt(entry, name);
  const args = entry["args"];
  if (program === undefined) return [];
  return [program, ...(Array.isArray(args) ? args : [])];
}

function isRemote(entry: JsonObject): boolean {
  return ["url", "serverUrl", "httpUrl", "uri"].some((name) => textAt(entry, name) !== undefined);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

export type ConfiguredServer = {
  readonly rawName: string;
  readonly command: readonly string[] | undefined;
  readonly entry: JsonObject;
};

export function serversIn(
  client: Pick<ClientSettings, "paths" | "entries">,
  value: unknown,
): readonly ConfiguredServer[] {
  const entries = entriesIn(client, value).filter(({ isOff }) => !isOff);
  return entries.map(({ rawName, form, words, entry }) => {
    const texts = words.filter((word) => typeof word === "string");
    return { rawName, command: form === undefined ? undefined : texts, entry };
  });
}

/** By the words that may follow before the program, besides those with a dash. */
const starters = new Map<string, RegExp>([
  ["npx", /^$/],
  ["bunx", /^$/],
  ["bun", /^(?:run|x)$/],
  ["node", /^$/],
]);

/** They start a program after one of these words. */
const managers = new Set(["npm", "pnpm", "yarn"]);
const starting = new Set(["exec", "dlx", "x"]);

/** The first word, or the one that `npx`, `bun`, `node`, a package manager or `cmd /c` starts. Undefined for another program. */
export function meterWord(words: readonly string[]): string | undefined {
  const isShell = programName(words[0] ?? "") === "cmd";
  const begin = isShell ? words.findIndex((word, at) => at > 0 && !/^\/[a-z]$/i.test(word)) : 0;
  const [first = "", ...rest] = begin < 0 ? [] : words.slice(begin);
  const name = programName(first);
  if (name === "mcp-meter") return first;
  const started = startedWord(name, rest);
  const program = programName(started.replace(/@[^@/\\]*$/, "")).replace(/\.[cm]?js$/, "");
  return program === "mcp-meter" ? started : undefined;
}

function startedWord(starter: string, rest: readonly string[]): string {
  const [verb = "", ...words] = rest;
  if (managers.has(starter)) return starting.has(verb) ? firstWord(words, /^$/) : "";
  const between = starters.get(starter);
  return between === undefined ? "" : firstWord(rest, between);
}

function firstWord(words: readonly string[], between: RegExp): string {
  return words.find((word) => !word.startsWith("-") && !between.test(word)) ?? "";
}

/** `npx` for `C:\node\npx.cmd`: Windows ignores case. */
function programName(word: string): string {
  const name = word.replace(/^.*[/\\]/s, "");
  const bare = name.replace(/\.(?:exe|cmd)$/i, "");
  return bare === name ? name : bare.toLowerCase();
}

/** Up to and with the first `--` behind mcp-meter. Undefined without one, or with nothing behind it: then mcp-meter is the server, or nothing is. */
export function wordsBeforeServer(words: readonly unknown[]): number | undefined {
  const texts = words.map((word) => (typeof word === "string" ? word : ""));
  const meter = meterWord(texts);
  if (meter === undefined) return undefined;
  const cut = texts.indexOf("--", texts.indexOf(meter));
  return cut < 0 || (texts[cut + 1] ?? "") === "" ? undefined : cut + 1;
}

/** `command` as text with `args`, `cmd` as text with `args`, `command` as a list of all words, or `command` as an object of `path` and `args`. */
export type EntryForm = "command" | "cmd" | "list" | "path";

export type ClientSettings = {
  readonly name: string;
  files(home: LogHome): readonly string[];
  readonly form: "json" | "toml" | "yaml";
  readonly paths: readonly (readonly string[])[];
  readonly entries: readonly EntryForm[];
  readonly projectFiles: readonly string[];
  readonly blockFolder?: string;
  readonly restart: RestartRule;
};

/** When a client reads changed settings: at the start of the application, of a session, or when servers are reloaded. */
type RestartRule = "application" | "session" | "servers";

export function namedFolder({ env }: LogHome, variable: string, usual: string): string {
  const named = env[variable];
  const isAbsolute =
    named !== undefined && (named.startsWith("/") || /^[A-Za-z]:[\\/]/.test(named));
  return isAbsolute ? named.replace(/[\\/]+$/, "") : usual;
}

export function configHome(home: LogHome): string {
  return namedFolder(home, "XDG_CONFIG_HOME", `${home.folder}/.config`);
}

export function applicationFolder(home: LogHome): string {
  const { folder, platform } = home;
  if (platform === "darwin") return `${folder}/Library/Application Support`;
  if (platform === "win32") return namedFolder(home, "APPDATA", `${folder}/AppData/Roaming`);
  return configHome(home);
}
