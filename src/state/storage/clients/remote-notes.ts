import { tryParseJson } from "#kit/errors.ts";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { replaceFile } from "#kit/os/write-file.ts";
import { readArray, isObject, readMember, readString } from "#wire/json.ts";
import type { MemberTexts } from "#clients/wrapping/member-texts.ts";
import { makeSettingsKey } from "./backups.ts";

export const remoteNotesBytesMax = 4 * 1024 * 1024;

export type RemoteNote = {
  readonly path: readonly (string | number)[];
  readonly words: readonly string[];
  readonly texts: MemberTexts;
};

export function locateRemoteNotes(state: string, file: string): string {
  return join(state, "remotes", `${makeSettingsKey(file)}.json`);
}

export function readRemoteNotes(state: string, file: string): readonly RemoteNote[] {
  const content = readWholeFile(locateRemoteNotes(state, file), remoteNotesBytesMax);
  if ("fault" in content) return [];
  const value = tryParseJson(new TextDecoder().decode(content.bytes));
  return readArray(value, "entries").flatMap((entry) => parseRemoteNote(entry) ?? []);
}

// On failure, returns the reason: a clause or a system error code.
export function writeRemoteNotes(
  state: string,
  file: string,
  entries: readonly RemoteNote[],
): string | undefined {
  const path = locateRemoteNotes(state, file);
  const text = `${JSON.stringify({ file, entries })}\n`;
  if (Buffer.byteLength(text) > remoteNotesBytesMax)
    return "the settings have too many remote servers";
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
  return {
    path,
    words,
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

export function readTexts(value: unknown, name: string): readonly string[] {
  return readArray(value, name).filter((item) => typeof item === "string");
}
