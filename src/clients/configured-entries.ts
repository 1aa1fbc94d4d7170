import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import type { ClientSettings, EntryForm } from "./client-settings.ts";

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
