import type { ServerSettings } from "#imports/importer.ts";
import { isObject } from "#wire/json.ts";
import { readClientFile } from "../clients/client-file.ts";

/** Keeps only names of members: settings hold secrets. Missing or malformed files have none. */
export function settingsServers(settings: readonly ServerSettings[]): readonly string[] {
  const names = settings.flatMap(({ file, form, paths }) => {
    const read = readClientFile(file, form);
    return read && "value" in read ? paths.flatMap((path) => membersAt(read.value, path)) : [];
  });
  return [...new Set(names)].toSorted();
}

function membersAt(value: unknown, [first, ...rest]: readonly string[]): readonly string[] {
  if (!isObject(value)) return [];
  if (first === undefined) return Object.keys(value);
  const next = first === "*" ? Object.values(value) : [value[first]];
  return next.flatMap((member) => membersAt(member, rest));
}
