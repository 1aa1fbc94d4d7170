import { entriesTriedMax } from "#limits/wrapping.ts";
import { partsOfJson } from "#syntax/jsonc.ts";
import { isSameMeaning, type PlacedPart, type ParsedParts } from "#syntax/part.ts";
import { partsOfToml } from "#syntax/toml.ts";
import { partsOfYaml } from "#syntax/yaml.ts";
import { applyEdits, type Edit } from "./edit.ts";
import { type CommandForm, type EntryLayout, layoutAt, type PartPath } from "./entry-layout.ts";
import type { Refusal } from "./refusal.ts";
import { unwrapEdits } from "./unwrap-edits.ts";
import { type SettingsText, wrapEdits } from "./wrap-edits.ts";

/** An entry whose command is to be changed. */
export type EntryPlace = { readonly path: PartPath; readonly form: CommandForm };

/** Words to put in front of the command of an entry; the first becomes its command. */
export type Wrapping = EntryPlace & { readonly front: readonly string[] };

/** The number of words to take away from the front of the command of an entry. */
export type Unwrapping = EntryPlace & { readonly count: number };

/** The changed text with the entries that were left as they are, and why. */
export type Spliced<Change extends EntryPlace> = {
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly refused: ReadonlyMap<Change, Refusal>;
};

/**
 * Puts words in front of the commands of entries, by edits of the text alone: everything else keeps its bytes. An entry is refused unless the changed
 * text means the same but for its command, and can be changed back to the same bytes.
 */
export function wrapEntries(
  settings: SettingsText,
  changes: readonly Wrapping[],
): Spliced<Wrapping> {
  return splice(settings, changes, {
    edits: (layout, { front }) => wrapEdits(settings, layout, front),
    words: (words, { front }) => [...front, ...words],
    isReversible: (text, done) => {
      const back = done.map(({ front, ...place }) => ({ ...place, count: front.length }));
      const undone = unwrapEntries({ ...settings, text }, back);
      return undone.text === settings.text && undone.refused.size === 0;
    },
  });
}

/** Takes words from the front of the commands of entries, by edits of the text alone. */
export function unwrapEntries(
  settings: SettingsText,
  changes: readonly Unwrapping[],
): Spliced<Unwrapping> {
  return splice(settings, changes, {
    edits: (layout, { count }) => unwrapEdits(settings, layout, count),
    words: (words, { count }) => words.slice(count),
    isReversible: () => true,
  });
}

/** A kind of change. */
type Kind<Change> = {
  readonly edits: (layout: EntryLayout, change: Change) => readonly Edit[] | undefined;
  /** The words that a changed command must have. */
  readonly words: (words: readonly string[], change: Change) => readonly string[];
  readonly isReversible: (text: string, done: readonly Change[]) => boolean;
};

/** A change with its place in the text. */
type Located<Change> = {
  readonly change: Change;
  readonly layout: EntryLayout;
  readonly edits: readonly Edit[];
};

function splice<Change extends EntryPlace>(
  settings: SettingsText,
  changes: readonly Change[],
  kind: Kind<Change>,
): Spliced<Change> {
  const root = parsers[settings.language](settings.text);
  if ("fault" in root) return unchanged(settings, changes, "unparsable");
  const found = changes.map((change) => [change, locate(root, change, kind)] as const);
  const located = found.flatMap(([, one]) => (typeof one === "string" ? [] : [one]));
  const refused = new Map(
    found.flatMap(([change, one]) => (typeof one === "string" ? [[change, one] as const] : [])),
  );
  if (located.length === 0) return { text: settings.text, edits: [], refused };
  const all = tryTogether({ ...settings, root }, located, kind);
  const rest = typeof all === "string" ? spliceEach(settings, located, kind, all) : all;
  return { ...rest, refused: new Map([...refused, ...rest.refused]) };
}

/** Leaves out the entries that are refused by themselves. */
function spliceEach<Change extends EntryPlace>(
  settings: SettingsText,
  located: readonly Located<Change>[],
  kind: Kind<Change>,
  reason: Refusal,
): Spliced<Change> {
  const changes = located.map(({ change }) => change);
  const isAlone = changes.length === 1 || changes.length > entriesTriedMax;
  if (isAlone) return unchanged(settings, changes, reason);
  const alone = changes.map((change) => splice(settings, [change], kind));
  const refused = new Map(alone.flatMap((one) => [...one.refused]));
  const left = changes.filter((change) => !refused.has(change));
  // Each is in order, and all together are not: they overlap.
  if (refused.size === 0) return unchanged(settings, changes, reason);
  const rest = splice(settings, left, kind);
  return { ...rest, refused: new Map([...refused, ...rest.refused]) };
}

function unchanged<Change extends EntryPlace>(
  { text }: SettingsText,
  changes: readonly Change[],
  reason: Refusal,
): Spliced<Change> {
  return { text, edits: [], refused: new Map(changes.map((change) => [change, reason])) };
}

function locate<Change extends EntryPlace>(
  root: PlacedPart,
  change: Change,
  kind: Kind<Change>,
): Located<Change> | Refusal {
  const layout = layoutAt(root, change.path, change.form);
  if (typeof layout === "string") return layout;
  const edits = kind.edits(layout, change);
  return edits === undefined ? "layout" : { change, layout, edits };
}

/** Applies all edits, and compares the results with the old text. */
function tryTogether<Change extends EntryPlace>(
  before: SettingsText & ParsedParts,
  located: readonly Located<Change>[],
  kind: Kind<Change>,
): Spliced<Change> | Refusal {
  const edits = located.flatMap((one) => one.edits);
  const text = applyEdits(before.text, edits);
  if (text === undefined) return "meaning";
  const root = parsers[before.language](text);
  if ("fault" in root) return "meaning";
  const after = { text, root };
  const ignored = new Map(located.map(({ layout }) => [layout.holder, layout.changing]));
  if (!isSameMeaning(before, after, ignored)) return "meaning";
  if (!located.every((one) => hasWords({ before, after }, one, kind))) return "meaning";
  const done = located.map(({ change }) => change);
  if (!kind.isReversible(text, done)) return "irreversible";
  return { text, edits, refused: new Map() };
}

function hasWords<Change extends EntryPlace>(
  { before, after }: { readonly before: ParsedParts; readonly after: ParsedParts },
  { change, layout }: Located<Change>,
  kind: Kind<Change>,
): boolean {
  const changed = layoutAt(after.root, change.path, change.form);
  if (typeof changed === "string") return false;
  const wanted = kind.words(wordsOf(before.text, layout), change);
  const words = wordsOf(after.text, changed);
  return words.length === wanted.length && words.every((word, at) => word === wanted[at]);
}

/** A word that is not a text is the text of its literal behind a character that no program's word has. */
function wordsOf(text: string, { command, list }: EntryLayout): readonly string[] {
  const parts = [
    ...(command ? [command.part] : []),
    ...(list?.items ?? []).map(({ part }) => part),
  ];
  return parts.map((part) =>
    part.kind === "text" && !part.isShared
      ? part.value
      : `\u0000${text.slice(part.start, part.end)}`,
  );
}

const parsers = { json: partsOfJson, toml: partsOfToml, yaml: partsOfYaml };
