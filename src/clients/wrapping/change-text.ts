import { partsOfJson } from "#kit/syntax/jsonc.ts";
import { isSameMeaning, type ParsedParts, type PlacedPart } from "#kit/syntax/part.ts";
import { partsOfToml } from "#kit/syntax/toml.ts";
import { partsOfYaml } from "#kit/syntax/yaml.ts";
import { applyEdits, type Edit, type Refusal } from "./edits.ts";
import type { SettingsText } from "./wrap-edits.ts";

// After all together are refused: each try parses the file four times.
const entriesTriedMax = 32;

export type PlacedChange = {
  readonly edits: readonly Edit[];
  readonly holder: PlacedPart;
  /** Members of `holder` that differ afterwards. */
  readonly changing: ReadonlySet<string>;
};

export type TwoTexts = { readonly before: ParsedParts; readonly after: ParsedParts };

export type ChangeKind<Change> = {
  readonly place: (root: PlacedPart, change: Change) => PlacedChange | Refusal;
  readonly holds: (texts: TwoTexts, change: Change) => boolean;
  readonly isReversible: (text: string, done: readonly Change[]) => boolean;
};

export type ChangedText<Change> = {
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly refused: ReadonlyMap<Change, Refusal>;
};

export const partsOf = { json: partsOfJson, toml: partsOfToml, yaml: partsOfYaml };

/** Edits the text alone. Refuses changes that alter any other meaning or cannot be reverted; makes the others. */
export function changeText<Change>(
  settings: SettingsText,
  changes: readonly Change[],
  kind: ChangeKind<Change>,
): ChangedText<Change> {
  const root = partsOf[settings.language](settings.text);
  if ("fault" in root) return unchanged(settings, changes, "unparsable");
  const found = changes.map((change) => [change, kind.place(root, change)] as const);
  const located = found.flatMap(([change, one]) =>
    typeof one === "string" ? [] : [{ ...one, change }],
  );
  const refused = new Map(
    found.flatMap(([change, one]) => (typeof one === "string" ? [[change, one] as const] : [])),
  );
  if (located.length === 0) return { text: settings.text, edits: [], refused };
  const all = tryTogether({ ...settings, root }, located, kind);
  const rest = typeof all === "string" ? changeEach(settings, located, kind, all) : all;
  return { ...rest, refused: new Map([...refused, ...rest.refused]) };
}

type Located<Change> = PlacedChange & { readonly change: Change };

function changeEach<Change>(
  settings: SettingsText,
  located: readonly Located<Change>[],
  kind: ChangeKind<Change>,
  reason: Refusal,
): ChangedText<Change> {
  const changes = located.map(({ change }) => change);
  const isAlone = changes.length === 1 || changes.length > entriesTriedMax;
  if (isAlone) return unchanged(settings, changes, reason);
  const alone = changes.map((change) => changeText(settings, [change], kind));
  const refused = new Map(alone.flatMap((one) => [...one.refused]));
  const left = changes.filter((change) => !refused.has(change));
  // Each is in order, and all together are not: they overlap.
  if (refused.size === 0) return unchanged(settings, changes, reason);
  const rest = changeText(settings, left, kind);
  return { ...rest, refused: new Map([...refused, ...rest.refused]) };
}

function unchanged<Change>(
  { text }: SettingsText,
  changes: readonly Change[],
  reason: Refusal,
): ChangedText<Change> {
  return { text, edits: [], refused: new Map(changes.map((change) => [change, reason])) };
}

function tryTogether<Change>(
  before: SettingsText & ParsedParts,
  located: readonly Located<Change>[],
  kind: ChangeKind<Change>,
): ChangedText<Change> | Refusal {
  const edits = located.flatMap((one) => one.edits);
  const text = applyEdits(before.text, edits);
  if (text === undefined) return "meaning";
  const root = partsOf[before.language](text);
  if ("fault" in root) return "meaning";
  const after = { text, root };
  const ignored = new Map<PlacedPart, ReadonlySet<string>>();
  for (const { holder, changing } of located) {
    ignored.set(holder, new Set([...(ignored.get(holder) ?? []), ...changing]));
  }
  if (!isSameMeaning(before, after, ignored)) return "meaning";
  if (!located.every(({ change }) => kind.holds({ before, after }, change))) return "meaning";
  const done = located.map(({ change }) => change);
  if (!kind.isReversible(text, done)) return "irreversible";
  return { text, edits, refused: new Map() };
}

// Of longer lines, only the surroundings of the change.
export const changedCharactersMax = 2_000;

export const changeMarginCharactersMax = 60;

export type ChangedLines = { readonly before: string; readonly after: string };

export function changedLines(text: string, edits: readonly Edit[]): readonly ChangedLines[] {
  const sorted = edits.toSorted((one, other) => one.start - other.start);
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of sorted) {
    const { start, end } = surroundings(text, edit);
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start, end, edits: [edit] });
  }
  return groups.map(({ start, end, edits: inside }) => {
    const before = text.slice(start, end);
    const moved = inside.map((edit) => {
      return { ...edit, start: edit.start - start, end: edit.end - start };
    });
    return { before, after: applyEdits(before, moved) ?? before };
  });
}

function surroundings(text: string, { start, end }: Edit): { start: number; end: number } {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const last = next < 0 ? text.length : next;
  if (last - first <= changedCharactersMax) return { start: first, end: last };
  return {
    start: Math.max(first, start - changeMarginCharactersMax),
    end: Math.min(last, end + changeMarginCharactersMax),
  };
}
