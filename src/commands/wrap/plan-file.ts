import type { ClientSettings } from "#clients/client-settings.ts";
import { type ConfiguredEntry, entriesIn } from "#clients/entries-in.ts";
import { clients } from "#clients/index.ts";
import { wordsBeforeServer } from "#clients/meter-word.ts";
import type { ServerState } from "#renderers/documents/settings/wrap.ts";
import type { ClientFileFault } from "#storage/clients/client-file.ts";
import type { SettingsFile } from "#storage/clients/settings-files.ts";
import { type ReadSettings, readSettings } from "#storage/clients/settings-text.ts";
import { type ChangedLines, changedLines } from "#wrapping/changed-lines.ts";
import type { Refusal } from "#wrapping/refusal.ts";
import { type EntryPlace, type Spliced, unwrapEntries, wrapEntries } from "#wrapping/splice.ts";
import type { refusalReasons } from "#wrap-sentences.ts";
import { type WantedChange, judgeEntry } from "./judge-entry.ts";

/** The change of every file. */
export type Task = {
  readonly action: WantedChange["action"];
  /** Names of servers; empty for all. */
  readonly names: readonly string[];
  /** Words to put in front of the command of a server. */
  readonly frontFor: (rawName: string) => readonly string[];
  /** The options of `run` in these words that the user gave. */
  readonly flags?: readonly string[];
};

/** A server of a file, and its state after the change. */
export type PlannedServer = {
  readonly entry: ConfiguredEntry;
  readonly state: ServerState;
  /** The key of the reason, where it is refused. */
  readonly refusal: keyof typeof refusalReasons | undefined;
};

/** The change of one file. */
export type FilePlan = {
  readonly target: SettingsFile;
  readonly servers: readonly PlannedServer[];
  /** Names of all servers of the file. */
  readonly known: readonly string[];
  readonly before: Uint8Array;
  /** Undefined when nothing changes. */
  readonly after: Uint8Array | undefined;
  readonly lines: readonly ChangedLines[];
};

/** Reads a file and plans its change; writes nothing. */
export function planFile(target: SettingsFile, task: Task): FilePlan | ClientFileFault {
  const client = clients[target.client];
  const read = readSettings(target.file, client.form);
  if ("fault" in read) return read;
  const { names, action } = task;
  const isNamed = names.length > 0;
  const entries = entriesIn(client, read.value);
  const chosen = entries.filter(({ rawName }) => !isNamed || names.includes(rawName));
  const judged = chosen.map((entry) => [entry, judgeEntry(entry, { action, isNamed })] as const);
  const changing = judged.flatMap(([entry, state]) => (state === "changed" ? [entry] : []));
  const { text, edits, refused } = changeText(read, client, changing, task);
  const servers = judged.map(([entry, state]) => {
    const refusal = refused.get(entry);
    return { entry, state: refusal === undefined ? state : ("refused" as const), refusal };
  });
  const after = edits.length === 0 ? undefined : new TextEncoder().encode(read.mark + text);
  const known = entries.map(({ rawName }) => rawName);
  const lines = changedLines(read.text, edits);
  return { target, servers, known, before: read.bytes, after, lines };
}

/** The changed text, and the entries that were refused. */
type ChangedText = Pick<Spliced<EntryPlace>, "text" | "edits"> & {
  readonly refused: ReadonlyMap<ConfiguredEntry, Refusal>;
};

function changeText(
  { text }: ReadSettings,
  client: ClientSettings,
  entries: readonly ConfiguredEntry[],
  task: Task,
): ChangedText {
  const settings = { text, language: client.form };
  const places = entries.flatMap((entry) => {
    const { path, form, rawName, words } = entry;
    if (form === undefined) return [];
    return [
      { entry, path, form, front: task.frontFor(rawName), count: wordsBeforeServer(words) ?? 0 },
    ];
  });
  const isUnwrapping = task.action === "unwrap";
  const able = new Set(isUnwrapping ? places : places.filter(isFoundLater));
  const result = isUnwrapping ? unwrapEntries(settings, places) : wrapEntries(settings, [...able]);
  return {
    text: result.text,
    edits: result.edits,
    refused: new Map(
      places.flatMap((place) => {
        const refusal = able.has(place) ? result.refused.get(place) : "irreversible";
        return refusal === undefined ? [] : [[place.entry, refusal] as const];
      }),
    ),
  };
}

/** `unwrap` must find the server's command by itself: an empty one is not found. */
function isFoundLater({ entry, front }: { entry: ConfiguredEntry; front: readonly string[] }) {
  return wordsBeforeServer([...front, ...entry.words]) === front.length;
}
