import { type ConfiguredEntry, entriesIn } from "#clients/entries-in.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { readRemoteNotes } from "#storage/clients/remote-notes.ts";
import { stateFolder } from "#storage/folders.ts";
import { servedNote } from "./served-note.ts";

/** A server that a client reaches through `serve`. */
export type ReachedServer = Pick<ConfiguredEntry, "rawName"> & {
  readonly address: string;
  /** The words of the command that must run. */
  readonly words: readonly string[];
};

/** The servers in a file of settings that its client reaches through `serve`, without those that are turned off. */
export function servedInFile(
  client: ClientId,
  { file, value }: { readonly file: string; readonly value: unknown },
  env: Readonly<{ [name: string]: string | undefined }>,
): readonly ReachedServer[] {
  const state = stateFolder(env);
  const notes = state === undefined ? [] : readRemoteNotes(state, file);
  if (notes.length === 0) return [];
  return entriesIn(clients[client], value).flatMap((entry) => {
    const note = entry.isOff ? undefined : servedNote(entry, notes);
    if (note === undefined) return [];
    const { served, words } = note;
    return [{ rawName: entry.rawName, address: served.address, words }];
  });
}
