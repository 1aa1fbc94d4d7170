import type { ConfiguredEntry } from "#clients/entries-in.ts";
import type { RemoteNote } from "#storage/clients/remote-notes.ts";
import { memberAt } from "#wire/json.ts";
import { isSamePlaceInList } from "./remote-way-back.ts";

/** The note about an entry whose client reaches its server through `serve`; undefined for another, and for one whose address was edited. */
export function servedNote(
  { path, form, entry }: Pick<ConfiguredEntry, "path" | "form" | "entry">,
  notes: readonly RemoteNote[],
): (RemoteNote & Required<Pick<RemoteNote, "served">>) | undefined {
  if (form !== undefined) return undefined;
  const own = notes.flatMap((note) => {
    const { served, texts } = note;
    const isAddress = texts.values.some(({ of }) => memberAt(entry, of) === served?.address);
    return served !== undefined && isAddress ? [{ ...note, served }] : [];
  });
  const place = JSON.stringify(path);
  return (
    own.find((note) => JSON.stringify(note.path) === place) ??
    own.find((note) => isSamePlaceInList(note.path, path))
  );
}
