import { isDeepStrictEqual } from "node:util";
import { planOptions, type WantedOptions } from "./change-entry-options.ts";
import { type ConfiguredEntry, countWordsBeforeServer } from "#clients/configured-entries.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import {
  buildRemoteProgram,
  mcpRemote,
  type RemoteFault,
  findRemoteRule,
  type RemoteRule,
} from "#clients/mcp-remote.ts";
import type { RemoteNote } from "#state/storage/clients/remote-notes.ts";
import type { ChangedText, Refusal } from "#clients/wrapping/change-text.ts";
import {
  type Reversion,
  unwrapEntries,
  type Unwrapping,
  wrapEntries,
  type Wrapping,
} from "#clients/wrapping/edit-entries.ts";
import { readArray, readMember, readString } from "#wire/json.ts";
import type { MemberTexts } from "#clients/wrapping/member-texts.ts";
import type { SettingsText } from "#clients/wrapping/literals.ts";
import { type Conversion, buildReversions } from "#clients/wrapping/convert-members.ts";

type EntryRefusal =
  | { readonly refusal: Refusal | "remote_client" }
  | { readonly refusal: `remote_${RemoteFault["refusal"]}`; readonly subject?: string | undefined };

export type ChangedEntries = Pick<ChangedText<unknown>, "text" | "edits"> & {
  readonly refused: ReadonlyMap<ConfiguredEntry, EntryRefusal>;
  readonly notes: readonly RemoteNote[];
  /** Entries that still start mcp-remote after mcp-meter is taken out. */
  readonly keepingMcpRemote: ReadonlySet<ConfiguredEntry>;
};

export type ChangingFile = SettingsText & {
  readonly client: ClientId;
  readonly notes: readonly RemoteNote[];
};

export type EntryTask = WantedOptions & {
  readonly buildFront: (rawName: string) => readonly string[];
};

export function planWrapping(
  file: ChangingFile,
  entries: readonly ConfiguredEntry[],
  task: EntryTask,
): ChangedEntries {
  const changes: ((Wrapping | Conversion) & EntryChange)[] = [];
  const refused = new Map<ConfiguredEntry, EntryRefusal>();
  for (const entry of entries) {
    const { path, form, rawName, words } = entry;
    const wordsBefore = countWordsBeforeServer(words);
    if (form === undefined) {
      const change = convertRemoteEntry(entry, file.client, task);
      if ("refusal" in change) refused.set(entry, change);
      else changes.push({ entry, path, ...change });
    } else if (wordsBefore === undefined) {
      const front = task.buildFront(rawName);
      const isRecognizedLater = countWordsBeforeServer([...front, ...words]) === front.length;
      if (isRecognizedLater) changes.push({ entry, path, form, front });
      else refused.set(entry, { refusal: "irreversible" });
    } else {
      const options = planOptions(entry, task);
      if (typeof options === "object")
        changes.push({ entry, path, form, at: wordsBefore - 1, ...options });
    }
  }
  const result = wrapEntries(file, changes);
  const madeChanges = changes.filter((change) => !result.refused.has(change));
  const conversions = madeChanges.filter((change) => "converted" in change);
  const reversions = buildReversions(file, conversions);
  const addedNotes = reversions.map(({ path, words = [], texts }) => ({ path, words, texts }));
  const newPrograms = madeChanges.flatMap((change) =>
    "at" in change ? [] : [{ path: change.path, words: change.words ?? change.entry.words }],
  );
  const notes = [...dropNotes(file.notes, newPrograms), ...addedNotes];
  return { ...withRefusals(result, refused), notes, keepingMcpRemote: new Set() };
}

type RemoteChange = Pick<Conversion, "converted"> & Pick<RemoteNote, "words">;

export function convertRemoteEntry(
  { entry, rawName }: Pick<ConfiguredEntry, "entry" | "rawName">,
  client: ClientId,
  { buildFront }: Pick<EntryTask, "buildFront">,
): RemoteChange | EntryRefusal {
  const rule = findRemoteRule(client);
  const [form = "command"] = clients[client].entryForms;
  if (rule === undefined) return { refusal: "remote_client" };
  const program = buildRemoteProgram(entry, rule, { front: buildFront(rawName), form });
  return "refusal" in program
    ? { refusal: `remote_${program.refusal}`, subject: program.subject }
    : { converted: program.changes, words: program.words };
}

export function planUnwrapping(
  file: ChangingFile,
  entries: readonly ConfiguredEntry[],
): ChangedEntries {
  const rule = findRemoteRule(file.client);
  const changes = entries.flatMap((entry): readonly (EntryReversion | EntryUnwrapping)[] => {
    const { form, path } = entry;
    if (form === undefined) return [];
    const texts = rule && findRemoteTexts(entry, file.notes, rule);
    return [texts === undefined ? makeUnwrapping(entry, form) : { entry, path, texts }];
  });
  const firstResult = unwrapEntries(file, changes);
  // An entry whose URL cannot be restored only loses mcp-meter: it still starts mcp-remote.
  const finalChanges = changes.map((change) =>
    "texts" in change && change.entry.form !== undefined && firstResult.refused.has(change)
      ? makeUnwrapping(change.entry, change.entry.form)
      : change,
  );
  const hasChanged = finalChanges.some((change, at) => change !== changes[at]);
  const result = hasChanged ? unwrapEntries(file, finalChanges) : firstResult;
  const keepingMcpRemote = finalChanges.filter(({ entry, path, ...change }) => {
    if ("texts" in change) return false;
    const { words } = readProgram(entry);
    // `words` has our version of mcp-remote even if the notes are missing.
    const isConverted =
      words.includes(mcpRemote) || file.notes.some((note) => isDeepStrictEqual(note.path, path));
    return isConverted && words.some((word) => /^mcp-remote(?:@|$)/.test(String(word)));
  });
  return {
    ...withRefusals(result, new Map()),
    notes: dropNotes(file.notes, entries.map(readProgram)),
    keepingMcpRemote: new Set(keepingMcpRemote.map(({ entry }) => entry)),
  };
}

type EntryChange = { readonly entry: ConfiguredEntry } & Partial<Pick<RemoteNote, "words">>;

type EntryReversion = Reversion & EntryChange;
type EntryUnwrapping = Unwrapping & EntryChange;

function makeUnwrapping(entry: ConfiguredEntry, form: EntryUnwrapping["form"]): EntryUnwrapping {
  return { entry, path: entry.path, form, count: countWordsBeforeServer(entry.words) ?? 0 };
}

function withRefusals(
  { text, edits, refused }: ChangedText<EntryChange>,
  others: ReadonlyMap<ConfiguredEntry, EntryRefusal>,
): Omit<ChangedEntries, "notes" | "keepingMcpRemote"> {
  const entryRefusals = [...refused].map(([{ entry }, refusal]) => [entry, { refusal }] as const);
  return {
    text,
    edits,
    refused: new Map<ConfiguredEntry, EntryRefusal>([...others, ...entryRefusals]),
  };
}

type Program = Pick<ConfiguredEntry, "path" | "words">;

function readProgram({ path, words }: ConfiguredEntry): Program {
  return { path, words: words.slice(countWordsBeforeServer(words)) };
}

function dropNotes(
  notes: readonly RemoteNote[],
  programs: readonly Program[],
): readonly RemoteNote[] {
  const dropped = programs.flatMap((program) => {
    const isInList = program.path.some((step) => typeof step === "number");
    return isInList
      ? findNote(notes, program)
      : notes.filter((note) => isDeepStrictEqual(note.path, program.path));
  });
  return notes.filter((note) => !new Set(dropped).has(note));
}

/** Undefined if no note fits the entry, for example after an edit of the URL, headers or variable names. */
export function findRemoteTexts(
  { path, words, entry }: ConfiguredEntry,
  notes: readonly RemoteNote[],
  { transportMember, stdioTransport }: RemoteRule,
): MemberTexts | undefined {
  const count = countWordsBeforeServer(words);
  if (count === undefined) return undefined;
  const note = findNote(notes, { path, words: words.slice(count) });
  if (note === undefined || !hasSameVariables(entry, note)) return undefined;
  const { texts } = note;
  // After the entry was wrapped, a client may have added a transport member, for example `"type": "stdio"`.
  const isAdded =
    readString(entry, transportMember) === stdioTransport && !texts.after.includes(transportMember);
  return isAdded ? { ...texts, removed: [transportMember] } : texts;
}

// In a list, adding or removing an earlier entry changes the index in the path.
function findNote(notes: readonly RemoteNote[], { path, words }: Program): RemoteNote | undefined {
  const programNotes = notes.filter((note) => isDeepStrictEqual(note.words, words));
  return (
    programNotes.find((note) => isDeepStrictEqual(note.path, path)) ??
    programNotes.find((note) => isDeepStrictEqual(withoutIndexes(note.path), withoutIndexes(path)))
  );
}

function withoutIndexes(path: RemoteNote["path"]): RemoteNote["path"] {
  return path.map((step) => (typeof step === "number" ? 0 : step));
}

function hasSameVariables(entry: ConfiguredEntry["entry"], { words, texts }: RemoteNote): boolean {
  const { renamed, inner, replaced } = texts;
  const isSame = renamed.every(({ from }) => {
    const names = inner.filter(({ of }) => of === from).map((member) => member.from);
    const found = Object.keys(Object(readMember(entry, from)));
    return found.length === names.length && names.every((name) => found.includes(name));
  });
  // Wrapping adds `env_vars` to a Codex entry only for names that the mcp-remote command uses as `${NAME}`.
  // Any other name in `env_vars` is a later edit.
  const passed = replaced
    .flatMap(({ from }) => from)
    .filter((name) => !["command", "cmd", "args"].includes(name))
    .flatMap((name) => readArray(entry, name));
  return (
    isSame && passed.every((name) => words.some((word) => word.includes(`\${${String(name)}}`)))
  );
}
