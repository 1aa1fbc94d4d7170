import { closeSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { servedPortMax, servedPortMin, wrapJournalBytesMax } from "#limits/wrapping.ts";
import { errorCode } from "#os/error-code.ts";
import { readWholeFile } from "#os/named-file.ts";
import { openToWrite } from "#os/open-file.ts";
import { arrayAt, memberAt, textAt } from "#wire/json.ts";

/** A change of a file of settings. */
export type WrapNote = {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly action: "wrap" | "unwrap";
  readonly client: ClientId;
  readonly file: string;
  readonly servers: readonly string[];
  readonly sha256_before: string;
  readonly sha256_after: string;
  /** The file with the bytes before the change; null where none is kept. */
  readonly backup: string | null;
  /** The ports of servers that are reached through `serve`, by a key of each. */
  readonly ports?: Readonly<{ [key: string]: number }>;
};

/** Path of the journal in a state folder. */
export function journalPath(state: string): string {
  return join(state, "wraps.ndjson");
}

/** Adds a line to the journal. Gives why it cannot be written: it is not needed to take a change back. Never waits for a pipe. */
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
    return errorCode(error);
  }
}

/** A file with servers that were put behind mcp-meter, and not all of them taken out again. */
export type JournaledFile = {
  readonly client: ClientId;
  /** The servers, with the time of their last change in ISO 8601. */
  readonly servers: ReadonlyMap<string, string>;
};

/** The files that the journal knows to have servers behind mcp-meter, by path. Lines that cannot be read are left out. */
export function journaledFiles(state: string): ReadonlyMap<string, JournaledFile> {
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

/** The last port of each server that was ever reached through `serve`, by its key. */
export function journaledPorts(state: string): ReadonlyMap<string, number> {
  return new Map(readNotes(state).flatMap(({ ports }) => ports));
}

function readNotes(state: string): readonly ReadNote[] {
  const content = readWholeFile(journalPath(state), wrapJournalBytesMax);
  if ("fault" in content) return [];
  return new TextDecoder()
    .decode(content.bytes)
    .split("\n")
    .flatMap((line) => (line === "" ? [] : (parseNote(line) ?? [])));
}

type ReadNote = Pick<WrapNote, "at" | "action" | "client" | "file" | "servers"> & {
  readonly ports: readonly (readonly [key: string, port: number])[];
};

function parseNote(line: string): ReadNote | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const client = clientIds.find((id) => id === textAt(value, "client"));
    const [at, file, action] = [
      textAt(value, "at"),
      textAt(value, "file"),
      textAt(value, "action"),
    ];
    if (client === undefined || at === undefined || file === undefined) return undefined;
    if (action !== "wrap" && action !== "unwrap") return undefined;
    const servers = arrayAt(value, "servers").filter((name) => typeof name === "string");
    const ports = Object.entries(Object(memberAt(value, "ports"))).flatMap(([key, port]) =>
      isPort(port) ? [[key, port] as const] : [],
    );
    return { at, action, client, file, servers, ports };
  } catch {
    return undefined;
  }
}

function isPort(value: unknown): value is number {
  return (
    Number.isInteger(value) && Number(value) >= servedPortMin && Number(value) <= servedPortMax
  );
}
