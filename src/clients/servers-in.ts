import { isObject, type JsonObject } from "#wire/json.ts";
import type { ClientSettings } from "./client-settings.ts";
import { entriesIn } from "./entries-in.ts";

/** A server that a client starts, or reaches by a URL. */
export type ConfiguredServer = {
  readonly rawName: string;
  /** The words of the command that starts it; undefined for a remote one. They may hold secrets. */
  readonly command: readonly string[] | undefined;
  /** As the settings have it; its values may be secrets. */
  readonly entry: JsonObject;
};

/** The servers in the settings of a client. Leaves out those that are turned off, and everything that is not an entry. */
export function serversIn(
  client: Pick<ClientSettings, "paths" | "entries">,
  value: unknown,
): readonly ConfiguredServer[] {
  const entries = entriesIn(client, value).filter(({ isOff }) => !isOff);
  return entries.map(({ rawName, path, form, words }) => {
    const texts = words.filter((word) => typeof word === "string");
    const entry = path.reduce<unknown>(memberOf, value);
    return {
      rawName,
      command: form === undefined ? undefined : texts,
      entry: isObject(entry) ? entry : {},
    };
  });
}

function memberOf(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) ? value[String(name)] : undefined;
}
