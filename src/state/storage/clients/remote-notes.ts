import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "#kit/os/file-errors.ts";
import { readWholeFile } from "#kit/os/named-file.ts";
import { replaceFile } from "#kit/os/replace-file.ts";
import { arrayAt, isObject, memberAt, textAt } from "#wire/json.ts";
import type { MemberTexts } from "#clients/wrapping/member-texts.ts";
import { settingsKey } from "./replace-settings.ts";

// An entry is less than a thousand.
export const remoteNotesBytesMax = 4 * 1024 * 1024;

export type RemoteNote = {
  readonly path: readonly (string | number)[];
  /** The words of the server's command, by which the entry is recognised. */
  readonly words: readonly string[];
  /** The address of `serve` in an entry that an earlier version changed, by which that one is recognised. */
  readonly address?: string;
  readonly texts: MemberTexts;
};

export function remoteNotesPath(state: string, file: string): string {
  return join(state, "remotes", `${settingsKey(file)}.json`);
}

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

/** With mode 0600. Removes the file if there are no notes. Returns a clause or a system error code on failure. */
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
  const address = textAt(value, "served", "address") ?? textAt(value, "address");
  return {
    path,
    words,
    ...(address === undefined ? {} : { address }),
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
