import { mkdirSync, closeSync, constants, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { readWholeFile, openToWrite } from "#kit/os/open-file.ts";
import { readArray, readString, tryParseJson } from "#wire/json.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";

export const wrapJournalBytesMax = 16 * 1024 * 1024;

export type WrapNote = {
  readonly at: string;
  readonly action: "wrap" | "unwrap";
  readonly client: ClientId;
  readonly file: string;
  readonly servers: readonly string[];
  readonly sha256_before: string;
  readonly sha256_after: string;
  readonly backup: string | null;
};

export function locateJournal(state: string): string {
  return join(state, "wraps.ndjson");
}

// Returns a fault, and does not throw: undoing a change does not need the journal.
// Never waits on a pipe.
export function journalChange(state: string, note: WrapNote): string | undefined {
  const path = locateJournal(state);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openToWrite(path, constants.O_APPEND);
    if ("fault" in file) return file.fault;
    try {
      writeFileSync(file.fd, `${JSON.stringify(note)}\n`);
    } finally {
      closeSync(file.fd);
    }
    return undefined;
  } catch (error) {
    return readErrorCode(error);
  }
}

type JournaledFile = {
  readonly client: ClientId;
  readonly servers: ReadonlyMap<string, string>;
};

export function readJournaledFiles(state: string): ReadonlyMap<string, JournaledFile> {
  const files = new Map<string, { client: ClientId; servers: Map<string, string> }>();
  for (const { file, client, servers, action, at } of readNotes(state)) {
    const known = files.get(file) ?? { client, servers: new Map<string, string>() };
    for (const server of servers) {
      if (action === "wrap") known.servers.set(server, at);
      else known.servers.delete(server);
    }
    files.set(file, known);
  }
  return new Map([...files].filter(([, { servers }]) => servers.size > 0));
}

function readNotes(state: string): readonly ReadNote[] {
  const content = readWholeFile(locateJournal(state), wrapJournalBytesMax);
  if ("fault" in content) return [];
  return new TextDecoder()
    .decode(content.bytes)
    .split("\n")
    .flatMap((line) => (line === "" ? [] : (parseNote(line) ?? [])));
}

type ReadNote = Pick<WrapNote, "at" | "action" | "client" | "file" | "servers">;

function parseNote(line: string): ReadNote | undefined {
  const value = tryParseJson(line);
  const client = clientIds.find((id) => id === readString(value, "client"));
  const [at, file, action] = [
    readString(value, "at"),
    readString(value, "file"),
    readString(value, "action"),
  ];
  if (client === undefined || at === undefined || file === undefined) return undefined;
  if (action !== "wrap" && action !== "unwrap") return undefined;
  const servers = readArray(value, "servers").filter((name) => typeof name === "string");
  return { at, action, client, file, servers };
}
