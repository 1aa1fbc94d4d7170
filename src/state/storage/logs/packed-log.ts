import { type FileTies, findTies } from "#history/imports/file-groups.ts";
import { packEvents, unpackEvents } from "#history/imports/packed-events.ts";
import type { FileCounts, ReadLog } from "#history/imports/merge-logs.ts";
import { importGarbageBytesMax } from "../../limits.ts";
import { packText, unpackText } from "../packed-files.ts";
import { GarbageCollector } from "../read-records.ts";

// The events of one log, compressed: a history of a gigabyte takes some 40 MB.
export type PackedLog = {
  readonly counts: FileCounts;
  readonly isDatabase: boolean;
  readonly ties: FileTies;
  readonly events: Uint8Array;
};

const garbage = new GarbageCollector(importGarbageBytesMax);

export function packLog({ events, counts, isDatabase = false }: ReadLog): PackedLog {
  const text = packEvents(events);
  garbage.add(text.length);
  return { counts, isDatabase, ties: findTies(events), events: packText(text) };
}

export function unpackLog({ counts, isDatabase, events: packed }: PackedLog): ReadLog {
  const text = unpackText(packed);
  garbage.add(text.length);
  return { events: unpackEvents(text), counts, ...(isDatabase ? { isDatabase } : {}) };
}
