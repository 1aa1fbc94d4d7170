import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import type { ClientSettings, EntryForm } from "./client-settings.ts";

/** A server that a client starts, or reaches by a URL. */
export type ConfiguredServer = {
  readonly rawName: string;
  /** The words of the command that starts it; undefined for a remote one. They may hold secrets. */
  readonly command: readonly string[] | undefined;
  /** As the settings have it. Its values may be secrets. */
  readonly entry: JsonObject;
};

/** The servers in the settings of a client. Leaves out those that are turned off, and everything that is not an entry. */
export function serversIn(
  { paths, entries }: ClientSettings,
  value: unknown,
): readonly ConfiguredServer[] {
  return paths
    .flatMap((path) => membersAt(value, path))
    .flatMap(([rawName, entry]) => serverFrom(rawName, entry, entries));
}

type Member = readonly [rawName: string, entry: unknown];

function membersAt(value: unknown, [first, ...rest]: readonly string[]): readonly Member[] {
  if (first === undefined) return membersOf(value);
  const next = first === "*" ? membersOf(value).map(([, one]) => one) : [memberAt(value, first)];
  return next.flatMap((one) => membersAt(one, rest));
}

/** In a list, each entry has its name. */
function membersOf(value: unknown): readonly Member[] {
  if (Array.isArray(value)) return value.map((entry) => [textAt(entry, "name") ?? "", entry]);
  return isObject(value) ? Object.entries(value) : [];
}

function serverFrom(
  rawName: string,
  entry: unknown,
  forms: readonly EntryForm[],
): readonly ConfiguredServer[] {
  if (!isObject(entry) || entry["enabled"] === false || entry["disabled"] === true) return [];
  const command = forms.map((form) => wordsOf[form](entry)).find((words) => words.length > 0);
  return command === undefined && !isRemote(entry) ? [] : [{ rawName, command, entry }];
}

const wordsOf: { readonly [form in EntryForm]: (entry: JsonObject) => readonly string[] } = {
  command: (entry) => commandWords(entry, "command"),
  cmd: (entry) => commandWords(entry, "cmd"),
  list: (entry) => textsIn(entry["command"]),
  path: ({ command }) => (isObject(command) ? commandWords(command, "path") : []),
};

function commandWords(entry: JsonObject, name: string): readonly string[] {
  const program = textAt(entry, name);
  return program === undefined ? [] : [program, ...textsIn(entry["args"])];
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function isRemote(entry: JsonObject): boolean {
  return ["url", "serverUrl", "httpUrl", "uri"].some((name) => textAt(entry, name) !== undefined);
}
