import type { ConfiguredEntry } from "#clients/entries-in.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { wordsBeforeServer } from "#clients/meter-word.ts";
import { remoteProgram } from "#clients/remote-entry.ts";
import { type RemoteFault, remoteRule } from "#clients/remote-rules.ts";
import type { RemoteNote } from "#storage/clients/remote-notes.ts";
import type { ChangedText } from "#wrapping/change-text.ts";
import type { Conversion } from "#wrapping/conversion.ts";
import type { Refusal } from "#wrapping/refusal.ts";
import {
  reversionsIn,
  unwrapEntries,
  type Unwrapping,
  wrapEntries,
  type Wrapping,
} from "#wrapping/splice.ts";
import type { SettingsText } from "#wrapping/wrap-edits.ts";
import { remoteWayBack } from "./remote-way-back.ts";

/** Why an entry is refused. */
type EntryRefusal =
  | { readonly refusal: Refusal | "remote_client" }
  | { readonly refusal: `remote_${RemoteFault["refusal"]}`; readonly subject: string | undefined };

/** The changed text of a file, and the entries that were refused. */
export type ChangedEntries = Pick<ChangedText<unknown>, "text" | "edits"> & {
  readonly refused: ReadonlyMap<ConfiguredEntry, EntryRefusal>;
  /** The notes about remote entries of this file from now on. */
  readonly notes: readonly RemoteNote[];
  /** Entries that were remote, and stay those of a program. */
  readonly local: ReadonlySet<ConfiguredEntry>;
};

/** A file whose entries are to be changed. */
export type ChangingFile = SettingsText & {
  readonly client: ClientId;
  readonly notes: readonly RemoteNote[];
};

/** Puts words in front of the commands of entries; a remote entry becomes one of mcp-remote behind them. */
export function wrapAll(
  file: ChangingFile,
  entries: readonly ConfiguredEntry[],
  frontFor: (rawName: string) => readonly string[],
): ChangedEntries {
  const rule = remoteRule(file.client);
  const [form = "command"] = clients[file.client].entries;
  const changes: ((Wrapping | Conversion) & OfEntry)[] = [];
  const refused = new Map<ConfiguredEntry, EntryRefusal>();
  for (const entry of entries) {
    const front = frontFor(entry.rawName);
    if (entry.form !== undefined) {
      if (!isFoundLater(entry, front)) refused.set(entry, { refusal: "irreversible" });
      else changes.push({ entry, path: entry.path, form: entry.form, front });
      continue;
    }
    const program = rule && remoteProgram(entry.entry, rule, { front, form });
    if (program === undefined) refused.set(entry, { refusal: "remote_client" });
    else if ("refusal" in program) {
      const { refusal, subject } = program;
      refused.set(entry, { refusal: `remote_${refusal}`, subject });
    } else {
      changes.push({ entry, path: entry.path, converted: program.changes, words: program.words });
    }
  }
  const result = wrapEntries(file, changes);
  const made = changes.filter((change) => !result.refused.has(change));
  const conversions = made.filter((change) => "converted" in change);
  const texts = reversionsIn(file, conversions);
  const added = conversions.flatMap(({ path, words = [] }, at) => {
    const before = texts[at];
    return before === undefined ? [] : [{ path, words, texts: before }];
  });
  // An earlier note about the place of an entry that is now a program is of no use.
  const notes = [...without(file.notes, made), ...added];
  return { ...withRefusals(result, refused), notes, local: new Set() };
}

/** `unwrap` must find the server's command by itself: an empty one is not found. */
function isFoundLater({ words }: ConfiguredEntry, front: readonly string[]): boolean {
  return wordsBeforeServer([...front, ...words]) === front.length;
}

/** Takes mcp-meter out of entries; those that were remote become so again, where they are as they were written. */
export function unwrapAll(file: ChangingFile, entries: readonly ConfiguredEntry[]): ChangedEntries {
  const rule = remoteRule(file.client);
  const changes = entries.flatMap((entry) => {
    const { path, form, words } = entry;
    if (form === undefined) return [];
    const plain: Unwrapping & OfEntry = { entry, path, form, count: wordsBeforeServer(words) ?? 0 };
    return [{ plain, back: rule && remoteWayBack(entry, file.notes, rule) }];
  });
  const wanted = changes.map(({ plain, back }) =>
    back === undefined ? plain : { entry: plain.entry, path: plain.path, texts: back },
  );
  const first = unwrapEntries(file, wanted);
  const isKept = (change: (typeof wanted)[number]): boolean =>
    "texts" in change && first.refused.has(change);
  // Without its old members, such an entry still starts mcp-remote.
  const second = wanted.map((change, at) =>
    isKept(change) ? (changes[at]?.plain ?? change) : change,
  );
  const result = wanted.some(isKept) ? unwrapEntries(file, second) : first;
  const noted = new Set(file.notes.map(({ path }) => JSON.stringify(path)));
  const local = second.filter(
    (change) => !("texts" in change) && noted.has(JSON.stringify(change.path)),
  );
  return {
    ...withRefusals(result, new Map()),
    notes: without(file.notes, entries),
    local: new Set(local.map(({ entry }) => entry)),
  };
}

/** A change knows its entry; a conversion also the words of the server's command. */
type OfEntry = { readonly entry: ConfiguredEntry; readonly words?: readonly string[] };

function withRefusals(
  { text, edits, refused }: ChangedText<OfEntry>,
  others: ReadonlyMap<ConfiguredEntry, EntryRefusal>,
): Omit<ChangedEntries, "notes" | "local"> {
  const own = [...refused].map(([{ entry }, refusal]) => [entry, { refusal }] as const);
  return { text, edits, refused: new Map<ConfiguredEntry, EntryRefusal>([...others, ...own]) };
}

/** The notes about other entries than these. */
function without(
  notes: readonly RemoteNote[],
  entries: readonly Pick<ConfiguredEntry, "path">[],
): readonly RemoteNote[] {
  const paths = new Set(entries.map(({ path }) => JSON.stringify(path)));
  return notes.filter(({ path }) => !paths.has(JSON.stringify(path)));
}
