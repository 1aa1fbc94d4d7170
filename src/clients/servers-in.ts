import type { JsonObject } from "#wire/json.ts";
import type { ClientSettings } from "./client-settings.ts";
import { entriesIn } from "./entries-in.ts";

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
