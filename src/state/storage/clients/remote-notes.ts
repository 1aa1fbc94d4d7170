import { existsSync, mkdirSync, rmSync, closeSync, constants, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { readWholeFile, openToWrite } from "#kit/os/open-file.ts";
import { replaceFile } from "#kit/os/replace-file.ts";
import { readArray, isObject, readMember, readString } from "#wire/json.ts";
import type { MemberTexts } from "#clients/wrapping/member-texts.ts";
import { makeSettingsKey } from "./replace-settings.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";

export const remoteNotesBytesMax = 4 * 1024 * 1024;

export type RemoteNote = {
  readonly path: readonly (string | number)[];
  readonly words: readonly string[];
  // The address of `serve`, which identifies an entry changed by an earlier version.
  readonly address?: string;
  readonly texts: MemberTexts;
};

export function remoteNotesPath(state: string, file: string): string {
  return join(state, "remotes", `${makeSettingsKey(file)}.json`);
}

export function readRemoteNotes(state: string, file: string): readonly RemoteNote[] {
  const content = readWholeFile(remoteNotesPath(state, file), remoteNotesBytesMax);
  if ("fault" in content) return [];
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(content.bytes));
    return readArray(value, "entries").flatMap((entry) => {
      const note = parseRemoteNote(entry);
      return note === undefined ? [] : [note];
    });
  } catch {
    return [];
  }
}

// With mode 0600. Without notes, removes the file.
// On failure returns a clause or a system error code.
export function keepRemoteNotes(
  state: string,
  file: string,
  entries: readonly RemoteNote[],
): string | undefined {
  const path = remoteNotesPath(state, file);
  const text = `${JSON.stringify({ file, entries })}\n`;
  if (Buffer.byteLength(text) > remoteNotesBytesMax) return "it has too many remote servers";
  try {
    if (entries.length === 0) {
      if (existsSync(path)) rmSync(path);
      return undefined;
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    return readErrorCode(error);
  }
  return replaceFile(path, text);
}

function parseRemoteNote(value: unknown): RemoteNote | undefined {
  const path = readArray(value, "path").filter(
    (step): step is string | number => typeof step === "string" || typeof step === "number",
  );
  const words = readTexts(value, "words");
  const texts = readMember(value, "texts");
  if (path.length === 0 || words.length === 0 || !isObject(texts)) return undefined;
  const address = readString(value, "served", "address") ?? readString(value, "address");
  return {
    path,
    words,
    ...(address === undefined ? {} : { address }),
    texts: {
      renamed: readArray(texts, "renamed").map(readKeys),
      inner: readArray(texts, "inner").map((member) => ({
        of: readValue(member).of,
        ...readKeys(member),
      })),
      replaced: readArray(texts, "replaced").map((member) => {
        return { from: readTexts(member, "from"), text: readValue(member).text };
      }),
      values: readArray(texts, "values").map(readValue),
      removed: readTexts(texts, "removed"),
      after: readTexts(texts, "after"),
    },
  };
}

function readKeys(value: unknown): { from: string; keys: readonly string[] } {
  return { from: readString(value, "from") ?? "", keys: readTexts(value, "keys") };
}

function readValue(value: unknown): { of: string; text: string } {
  return { of: readString(value, "of") ?? "", text: readString(value, "text") ?? "" };
}

function readTexts(value: unknown, name: string): readonly string[] {
  return readArray(value, name).filter((item) => typeof item === "string");
}

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

export function journalPath(state: string): string {
  return join(state, "wraps.ndjson");
}

// Returns a fault, and does not throw: undoing a change does not need the journal.
// Never waits on a pipe.
export function noteChange(state: string, note: WrapNote): string | undefined {
  const path = journalPath(state);
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
  const content = readWholeFile(journalPath(state), wrapJournalBytesMax);
  if ("fault" in content) return [];
  return new TextDecoder()
    .decode(content.bytes)
    .split("\n")
    .flatMap((line) => (line === "" ? [] : (parseNote(line) ?? [])));
}

type ReadNote = Pick<WrapNote, "at" | "action" | "client" | "file" | "servers">;

function parseNote(line: string): ReadNote | undefined {
  try {
    const value: unknown = JSON.parse(line);
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
  } catch {
    return undefined;
  }
}
