import type { ConfiguredEntry } from "#clients/entries-in.ts";
import { wordsBeforeServer } from "#clients/meter-word.ts";
import type { RemoteRule } from "#clients/remote-rules.ts";
import type { RemoteNote } from "#state/storage/clients/remote-notes.ts";
import { arrayAt, memberAt, textAt } from "#wire/json.ts";
import type { MemberTexts } from "#clients/wrapping/member-texts.ts";

/**
 * The texts by which an entry behind mcp-meter becomes the remote one that it was; undefined for an entry that was none, or whose address, headers or
 * variables have been edited since: they have no place in the old members. Values of variables may be others.
 */
export function remoteWayBack(
  { path, words, entry }: ConfiguredEntry,
  notes: readonly RemoteNote[],
  { kind, local }: RemoteRule,
): MemberTexts | undefined {
  const count = wordsBeforeServer(words);
  if (count === undefined) return undefined;
  const own = JSON.stringify(words.slice(count));
  const alike = notes.filter((note) => JSON.stringify(note.words) === own);
  const place = JSON.stringify(path);
  const note =
    alike.find((one) => JSON.stringify(one.path) === place) ??
    alike.find((one) => isSamePlaceInList(one.path, path));
  if (note === undefined || !hasItsVariables(entry, note)) return undefined;
  const { texts } = note;
  // A client may have added the word for a program.
  const isAdded = textAt(entry, kind) === local && !texts.after.includes(kind);
  return isAdded ? { ...texts, removed: [kind] } : texts;
}

/** The texts by which an address of `serve`, which earlier versions wrote, becomes the URL again; undefined where the address was edited. */
export function servedWayBack(
  { path, form, entry }: Pick<ConfiguredEntry, "path" | "form" | "entry">,
  notes: readonly RemoteNote[],
): MemberTexts | undefined {
  if (form !== undefined) return undefined;
  const own = notes.filter(
    ({ address, texts }) =>
      address !== undefined && texts.values.some(({ of }) => memberAt(entry, of) === address),
  );
  const place = JSON.stringify(path);
  const note =
    own.find((one) => JSON.stringify(one.path) === place) ??
    own.find((one) => isSamePlaceInList(one.path, path));
  return note?.texts;
}

function isSamePlaceInList(one: RemoteNote["path"], other: RemoteNote["path"]): boolean {
  return withoutIndexes(one) === withoutIndexes(other);
}

function withoutIndexes(path: RemoteNote["path"]): string {
  return JSON.stringify(path.map((step) => (typeof step === "number" ? 0 : step)));
}

function hasItsVariables(entry: ConfiguredEntry["entry"], { words, texts }: RemoteNote): boolean {
  const { renamed, inner, replaced } = texts;
  const isSame = renamed.every(({ from }) => {
    const names = inner.filter(({ of }) => of === from).map((one) => one.from);
    const found = Object.keys(Object(memberAt(entry, from)));
    return found.length === names.length && names.every((name) => found.includes(name));
  });
  // A list of variables that a client passes on; the words have each of them.
  const passed = replaced
    .flatMap(({ from }) => from)
    .filter((name) => !["command", "cmd", "args"].includes(name))
    .flatMap((name) => arrayAt(entry, name));
  return (
    isSame && passed.every((name) => words.some((word) => word.includes(`\${${String(name)}}`)))
  );
}
