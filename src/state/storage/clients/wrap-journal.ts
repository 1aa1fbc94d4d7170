import { tryParseJson } from "#kit/errors.ts";
import { mkdirSync, constants, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readErrorCode, makeDisposableFile } from "#kit/os/file-errors.ts";
import { readWholeFile, openToWrite } from "#kit/os/open-file.ts";
import { readArray, readString } from "#wire/json.ts";
import { readTexts } from "./remote-notes.ts";
import type { ConfiguredEntry } from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";

export const wrapJournalBytesMax = 16 * 1024 * 1024;

const actions = ["wrap", "unwrap", "trim", "untrim"] as const;

export type JournalNote = {
  readonly at: string;
  readonly action: (typeof actions)[number];
  readonly client: ClientId;
  readonly file: string;
  readonly servers: readonly string[];
  readonly sha256_before: string;
  readonly sha256_after: string;
  readonly backup: string | null;
  /** The tools that a `trim` hid, or that another action showed again. */
  readonly hidden?: readonly HiddenTools[];
};

type HiddenTools = { readonly entry: readonly string[]; readonly tools: readonly string[] };

export function locateJournal(state: string): string {
  return join(state, "wraps.ndjson");
}

// Returns a fault instead of throwing: `trim` then stops, but other actions only warn.
// Does not wait, even if the journal is a named pipe.
export function journalChange(state: string, note: JournalNote): string | undefined {
  const path = locateJournal(state);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openToWrite(path, constants.O_APPEND);
    if ("fault" in file) return file.fault;
    using written = makeDisposableFile(file.fd);
    writeFileSync(written.fd, `${JSON.stringify(note)}\n`);
    return undefined;
  } catch (error) {
    return readErrorCode(error);
  }
}

type WrappedFile = {
  readonly client: ClientId;
  /** The time of the newest wrap, by server. */
  readonly servers: ReadonlyMap<string, string>;
};

/** By file, the servers that `wrap` has changed and `unwrap` has not changed back. */
export function readWrappedFiles(state: string): ReadonlyMap<string, WrappedFile> {
  const files = new Map<string, { client: ClientId; servers: Map<string, string> }>();
  for (const { file, client, servers, action, at } of readNotes(state)) {
    const known = files.get(file) ?? { client, servers: new Map<string, string>() };
    for (const server of servers) {
      if (action === "wrap") known.servers.set(server, at);
      if (action === "unwrap") known.servers.delete(server);
    }
    files.set(file, known);
  }
  return new Map([...files].filter(([, { servers }]) => servers.size > 0));
}

type TrimmedFile = {
  readonly client: ClientId;
  /** Keys are paths of server entries in the file, as JSON; values are names of tools. */
  readonly hidden: ReadonlyMap<string, ReadonlySet<string>>;
};

/** By file, the tools that `trim` has hidden, unless a later action in the journal has shown them again. */
export function readTrimmedFiles(state: string): ReadonlyMap<string, TrimmedFile> {
  const files = new Map<string, { client: ClientId; hidden: Map<string, Set<string>> }>();
  for (const { file, client, action, hidden } of readNotes(state)) {
    const known = files.get(file) ?? { client, hidden: new Map<string, Set<string>>() };
    files.set(file, known);
    for (const { entry, tools } of hidden) {
      const key = JSON.stringify(entry);
      const before = known.hidden.get(key) ?? new Set();
      const names = new Set(tools);
      const after = action === "trim" ? before.union(names) : before.difference(names);
      if (after.size > 0) known.hidden.set(key, after);
      else known.hidden.delete(key);
    }
  }
  return new Map([...files].filter(([, { hidden }]) => hidden.size > 0));
}

/** The entry's path, with the entry's name instead of its index: the index can change. */
export function locateEntry({ path, rawName }: ConfiguredEntry): readonly string[] {
  return path.map((step) => (typeof step === "number" ? rawName : step));
}

function readNotes(state: string): readonly ReadNote[] {
  const content = readWholeFile(locateJournal(state), wrapJournalBytesMax);
  if ("fault" in content) return [];
  return new TextDecoder()
    .decode(content.bytes)
    .split("\n")
    .flatMap((line) => (line === "" ? [] : (parseNote(line) ?? [])));
}

type ReadNote = Required<
  Pick<JournalNote, "at" | "action" | "client" | "file" | "servers" | "hidden">
>;

function parseNote(line: string): ReadNote | undefined {
  const value = tryParseJson(line);
  const client = clientIds.find((id) => id === readString(value, "client"));
  const action = actions.find((name) => name === readString(value, "action"));
  const at = readString(value, "at");
  const file = readString(value, "file");
  if (client === undefined || at === undefined || file === undefined || action === undefined)
    return undefined;
  const servers = readTexts(value, "servers");
  const hidden = readArray(value, "hidden").map((entry) => ({
    entry: readTexts(entry, "entry"),
    tools: readTexts(entry, "tools"),
  }));
  return { at, action, client, file, servers, hidden };
}
