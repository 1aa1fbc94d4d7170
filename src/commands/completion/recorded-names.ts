import { closeSync, readSync } from "node:fs";
import {
  completionBytesMax,
  completionFilesMax,
  completionHeadBytesMax,
  completionNameCharactersMax,
  completionNamesMax,
  completionServerBytesMax,
} from "#limits/completion.ts";
import { openToRead } from "#os/open-file.ts";
import { dayFolders, recordFilesIn } from "#storage/live/session-files.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { arrayAt, textAt } from "#wire/json.ts";
import type { NameKind } from "../command.ts";

/**
 * The names of servers or tools in the newest records below a folder of sessions, sorted. Never throws: an unreadable
 * file has none. Names that hold control characters, or begin like an option, are left out.
 */
export function recordedNames(kind: NameKind, sessions: string): readonly string[] {
  const names = new Set<string>();
  const headMax = kind === "server" ? completionServerBytesMax : completionHeadBytesMax;
  let bytes = 0;
  for (const path of newestFiles(sessions)) {
    const head = readHead(path, Math.min(headMax, completionBytesMax - bytes));
    bytes += head.length;
    for (const line of head.toString().split("\n")) {
      for (const name of namesIn(line, kind)) if (isOffered(name)) names.add(name);
    }
    if (names.size >= completionNamesMax || bytes >= completionBytesMax) break;
  }
  return [...names].slice(0, completionNamesMax).toSorted();
}

function newestFiles(sessions: string): readonly string[] {
  const files: string[] = [];
  for (const day of dayFolders(sessions)) {
    files.push(...recordFilesIn(day, completionFilesMax - files.length));
    if (files.length >= completionFilesMax) break;
  }
  return files;
}

const empty = Buffer.alloc(0);

function readHead(path: string, bytesMax: number): Buffer {
  const opened = openToRead(path);
  if ("fault" in opened) return empty;
  try {
    const head = Buffer.alloc(bytesMax);
    return head.subarray(0, readSync(opened.fd, head, 0, bytesMax, 0));
  } catch {
    return empty;
  } finally {
    closeSync(opened.fd);
  }
}

/** The names in one line; none of a line that is cut, or is not JSON. */
function namesIn(line: string, kind: NameKind): readonly string[] {
  const record = parsed(line);
  if (kind === "server") return [textAt(record, "server") ?? ""];
  const listed = arrayAt(record, "tools").map((tool) => textAt(tool, "name") ?? "");
  return [...listed, textAt(record, "tool") ?? ""];
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isOffered(name: string): boolean {
  const isShort = name !== "" && name.length <= completionNameCharactersMax;
  return isShort && !name.startsWith("-") && escapeUnsafe(name) === name;
}
