import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { remoteNotesBytesMax } from "#limits/wrapping.ts";
import { errorCode } from "#os/error-code.ts";
import { readWholeFile } from "#os/named-file.ts";
import { replaceFile } from "#os/replace-file.ts";
import { arrayAt, isObject, memberAt, textAt } from "#wire/json.ts";
import type { MemberTexts } from "#wrapping/member-texts.ts";
import { settingsKey } from "./backups.ts";

/** A remote entry that was put behind mcp-meter, and its way back. No value of a header is in it. */
export type RemoteNote = {
  /** Names of members, and indexes of lists, that lead to the entry. */
  readonly path: readonly (string | number)[];
  /** The words of the server's command, by which the entry is recognised; of one that is served, those of the command that serves it. */
  readonly words: readonly string[];
  /** Absent for an entry that starts mcp-remote. */
  readonly served?: ServedNote;
  readonly texts: MemberTexts;
};

/** An entry whose client reaches its server through `serve`. */
export type ServedNote = {
  /** The address in the entry, by which it is recognised. */
  readonly address: string;
  /** The key of the server's port in the journal. */
  readonly key: string;
};

/** Path of the notes about a file of settings, in a state folder. */
export function remoteNotesPath(state: string, file: string): string {
  return join(state, "remotes", `${settingsKey(file)}.json`);
}

/** The notes about a file of settings. Those that cannot be read are left out. */
export function readRemoteNotes(state: string, file: string): readonly RemoteNote[] {
  const content = readWholeFile(remoteNotesPath(state, file), remoteNotesBytesMax);
  if ("fault" in content) return [];
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(content.bytes));
    return arrayAt(value, "entries").flatMap((one) => {
      const note = noteFrom(one);
      return note === undefined ? [] : [note];
    });
  } catch {
    return [];
  }
}

/**
 * Keeps the notes about a file of settings in place of the earlier ones, with mode 0600; without any, their file is removed. Gives a clause or a system error
 * code when they cannot be written.
 */
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
    return errorCode(error);
  }
  return replaceFile(path, text);
}

function noteFrom(value: unknown): RemoteNote | undefined {
  const path = arrayAt(value, "path").filter(
    (step): step is string | number => typeof step === "string" || typeof step === "number",
  );
  const words = textsAt(value, "words");
  const texts = memberAt(value, "texts");
  if (path.length === 0 || words.length === 0 || !isObject(texts)) return undefined;
  const [address, key] = ["address", "key"].map((name) => textAt(value, "served", name));
  return {
    path,
    words,
    ...(address === undefined || key === undefined ? {} : { served: { address, key } }),
    texts: {
      renamed: arrayAt(texts, "renamed").map(namedKeys),
      inner: arrayAt(texts, "inner").map((one) => ({ of: valueText(one).of, ...namedKeys(one) })),
      replaced: arrayAt(texts, "replaced").map((one) => {
        return { from: textsAt(one, "from"), text: valueText(one).text };
      }),
      values: arrayAt(texts, "values").map(valueText),
      removed: textsAt(texts, "removed"),
      after: textsAt(texts, "after"),
    },
  };
}

function namedKeys(value: unknown): { from: string; keys: readonly string[] } {
  return { from: textAt(value, "from") ?? "", keys: textsAt(value, "keys") };
}

function valueText(value: unknown): { of: string; text: string } {
  return { of: textAt(value, "of") ?? "", text: textAt(value, "text") ?? "" };
}

function textsAt(value: unknown, name: string): readonly string[] {
  return arrayAt(value, name).filter((one) => typeof one === "string");
}
