import type { ConfiguredEntry } from "#clients/entries-in.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { wordsBeforeServer } from "#clients/meter-word.ts";
import { remoteProgram } from "#clients/remote-entry.ts";
import { type RemoteFault, remoteRule } from "#clients/remote-rules.ts";
import type { RemoteNote } from "#state/storage/clients/remote-notes.ts";
import type { ChangedText } from "#clients/wrapping/change-text.ts";
import type { Conversion } from "#clients/wrapping/conversion.ts";
import type { Refusal } from "#clients/wrapping/refusal.ts";
import {
  type Reversion,
  reversionsIn,
  unwrapEntries,
  type Unwrapping,
  wrapEntries,
  type Wrapping,
} from "#clients/wrapping/splice.ts";
import type { SettingsText } from "#clients/wrapping/wrap-edits.ts";
import { remoteWayBack, servedWayBack } from "./remote-way-back.ts";

type EntryRefusal =
  | { readonly refusal: Refusal | "remote_client" }
  | { readonly refusal: `remote_${RemoteFault["refusal"]}`; readonly subject?: string | undefined };

export type ChangedEntries = Pick<ChangedText<unknown>, "text" | "edits"> & {
  readonly refused: ReadonlyMap<ConfiguredEntry, EntryRefusal>;
  readonly notes: readonly RemoteNote[];
  readonly local: ReadonlySet<ConfiguredEntry>;
};

export type ChangingFile = SettingsText & {
  readonly client: ClientId;
  readonly notes: readonly RemoteNote[];
};

export type WrappingWays = {
  readonly frontFor: (rawName: string) => readonly string[];
};

export function wrapAll(
  file: ChangingFile,
  entries: readonly ConfiguredEntry[],
  ways: WrappingWays,
): ChangedEntries {
  const changes: ((Wrapping | Conversion) & OfEntry)[] = [];
  const refused = new Map<ConfiguredEntry, EntryRefusal>();
  for (const entry of entries) {
    const front = ways.frontFor(entry.rawName);
    if (entry.form !== undefined) {
      if (!isFoundLater(entry, front)) refused.set(entry, { refusal: "irreversible" });
      else changes.push({ entry, path: entry.path, form: entry.form, front });
      continue;
    }
    const change = remoteChange(entry, file.client, ways);
    if ("refusal" in change) refused.set(entry, change);
    else changes.push({ entry, path: entry.path, ...change });
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

export type RemoteChange = Pick<Conversion, "converted"> & Pick<RemoteNote, "words">;

export function remoteChange(
  { entry, rawName }: Pick<ConfiguredEntry, "entry" | "rawName">,
  client: ClientId,
  { frontFor }: WrappingWays,
): RemoteChange | EntryRefusal {
  const rule = remoteRule(client);
  const [form = "command"] = clients[client].entries;
  if (rule === undefined) return { refusal: "remote_client" };
  const program = remoteProgram(entry, rule, { front: frontFor(rawName), form });
  return "refusal" in program
    ? { refusal: `remote_${program.refusal}`, subject: program.subject }
    : { converted: program.changes, words: program.words };
}

function isFoundLater({ words }: ConfiguredEntry, front: readonly string[]): boolean {
  return wordsBeforeServer([...front, ...words]) === front.length;
}

export function unwrapAll(file: ChangingFile, entries: readonly ConfiguredEntry[]): ChangedEntries {
  const rule = remoteRule(file.client);
  const wanted = entries.flatMap((entry): readonly (EntryReversion | EntryUnwrapping)[] => {
    const { form, path } = entry;
    const texts =
      form === undefined
        ? servedWayBack(entry, file.notes)
        : rule && remoteWayBack(entry, file.notes, rule);
    if (texts !== undefined) return [{ entry, path, texts }];
    return form === undefined ? [] : [plainUnwrapping(entry, form)];
  });
  const first = unwrapEntries(file, wanted);
  // Without its old members, an entry that is a program still starts mcp-remote.
  const second = wanted.map((change) =>
    "texts" in change && change.entry.form !== undefined && first.refused.has(change)
      ? plainUnwrapping(change.entry, change.entry.form)
      : change,
  );
  const isOther = second.some((change, at) => change !== wanted[at]);
  const result = isOther ? unwrapEntries(file, second) : first;
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

type OfEntry = { readonly entry: ConfiguredEntry } & Partial<Pick<RemoteNote, "words">>;

type EntryReversion = Reversion & OfEntry;
type EntryUnwrapping = Unwrapping & OfEntry;

function plainUnwrapping(entry: ConfiguredEntry, form: EntryUnwrapping["form"]): EntryUnwrapping {
  return { entry, path: entry.path, form, count: wordsBeforeServer(entry.words) ?? 0 };
}

function withRefusals(
  { text, edits, refused }: ChangedText<OfEntry>,
  others: ReadonlyMap<ConfiguredEntry, EntryRefusal>,
): Omit<ChangedEntries, "notes" | "local"> {
  const own = [...refused].map(([{ entry }, refusal]) => [entry, { refusal }] as const);
  return { text, edits, refused: new Map<ConfiguredEntry, EntryRefusal>([...others, ...own]) };
}

function without(
  notes: readonly RemoteNote[],
  entries: readonly Pick<ConfiguredEntry, "path">[],
): readonly RemoteNote[] {
  const paths = new Set(entries.map(({ path }) => JSON.stringify(path)));
  return notes.filter(({ path }) => !paths.has(JSON.stringify(path)));
}
