import { parseJsoncTree } from "#kit/syntax/jsonc.ts";
import { isEquivalent, type SyntaxTree, type SyntaxNode } from "#kit/syntax/syntax-tree.ts";
import { parseTomlTree } from "#kit/syntax/toml.ts";
import { parseYamlTree } from "#kit/syntax/yaml.ts";
import { findSecretSpans, maskSpans } from "#kit/text/mask-secrets.ts";
import type { SettingsText } from "./literals.ts";

export type Edit = { readonly start: number; readonly end: number; readonly text: string };

export function applyEdits(text: string, edits: readonly Edit[]): string | undefined {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let at = 0;
  let result = "";
  for (const { start, end, text: inserted } of sorted) {
    if (start < at) return undefined;
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

export type Refusal =
  | "unparsable"
  | "duplicate"
  // A member that the change needs is missing, or comes from a YAML merge key.
  | "missing"
  // A node that the change reads or edits has a YAML anchor, alias or tag.
  | "special_syntax"
  | "not_a_list"
  // An edit does not fit the layout of the text. For example, the command has several lines.
  | "layout"
  // The edited file would not mean exactly what the change intends.
  | "meaning"
  | "irreversible";

// A longer list of changes is not retried one by one, because each retry parses the file again.
const retriedChangesMax = 32;

export type PlannedEdits = {
  readonly edits: readonly Edit[];
  readonly parent: SyntaxNode;
  // The edits may change, add or remove only these members of `parent`.
  readonly editableNames: ReadonlySet<string>;
};

export type ChangedTrees = { readonly before: SyntaxTree; readonly after: SyntaxTree };

export type ChangeOperations<Change> = {
  readonly plan: (root: SyntaxNode, change: Change) => PlannedEdits | Refusal;
  readonly isApplied: (trees: ChangedTrees, change: Change) => boolean;
  readonly isReversible: (text: string, done: readonly Change[]) => boolean;
};

export type ChangedText<Change> = {
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly refused: ReadonlyMap<Change, Refusal>;
};

export const treeParsers = { json: parseJsoncTree, toml: parseTomlTree, yaml: parseYamlTree };

// Refuses changes that would alter the meaning of the rest of the file, or that could not be undone.
export function changeText<Change>(
  settings: SettingsText,
  changes: readonly Change[],
  operations: ChangeOperations<Change>,
): ChangedText<Change> {
  const root = treeParsers[settings.language](settings.text);
  if ("fault" in root) return refuseAll(settings, changes, "unparsable");
  const planned: PlannedChange<Change>[] = [];
  const refused = new Map<Change, Refusal>();
  for (const change of changes) {
    const plan = operations.plan(root, change);
    if (typeof plan === "string") refused.set(change, plan);
    else planned.push({ ...plan, change });
  }
  if (planned.length === 0) return { text: settings.text, edits: [], refused };
  const together = tryTogether({ ...settings, root }, planned, operations);
  const outcome =
    typeof together === "string" ? tryEach(settings, planned, operations, together) : together;
  return { ...outcome, refused: new Map([...refused, ...outcome.refused]) };
}

type PlannedChange<Change> = PlannedEdits & { readonly change: Change };

function tryEach<Change>(
  settings: SettingsText,
  planned: readonly PlannedChange<Change>[],
  operations: ChangeOperations<Change>,
  reason: Refusal,
): ChangedText<Change> {
  const changes = planned.map(({ change }) => change);
  const isRetrySkipped = changes.length === 1 || changes.length > retriedChangesMax;
  if (isRetrySkipped) return refuseAll(settings, changes, reason);
  const results = changes.map((change) => changeText(settings, [change], operations));
  const refused = new Map(results.flatMap((result) => [...result.refused]));
  const accepted = changes.filter((change) => !refused.has(change));
  // Each change works alone, but the changes do not work together.
  if (refused.size === 0) return refuseAll(settings, changes, reason);
  const outcome = changeText(settings, accepted, operations);
  return { ...outcome, refused: new Map([...refused, ...outcome.refused]) };
}

function refuseAll<Change>(
  { text }: SettingsText,
  changes: readonly Change[],
  reason: Refusal,
): ChangedText<Change> {
  return { text, edits: [], refused: new Map(changes.map((change) => [change, reason])) };
}

function tryTogether<Change>(
  before: SettingsText & SyntaxTree,
  planned: readonly PlannedChange<Change>[],
  operations: ChangeOperations<Change>,
): ChangedText<Change> | Refusal {
  const edits = planned.flatMap((change) => change.edits);
  const text = applyEdits(before.text, edits);
  if (text === undefined) return "meaning";
  const root = treeParsers[before.language](text);
  if ("fault" in root) return "meaning";
  const after = { text, root };
  const ignored = new Map<SyntaxNode, ReadonlySet<string>>();
  for (const { parent, editableNames } of planned) {
    ignored.set(parent, new Set([...(ignored.get(parent) ?? []), ...editableNames]));
  }
  if (!isEquivalent(before, after, ignored)) return "meaning";
  if (!planned.every(({ change }) => operations.isApplied({ before, after }, change)))
    return "meaning";
  const done = planned.map(({ change }) => change);
  if (!operations.isReversible(text, done)) return "irreversible";
  return { text, edits, refused: new Map() };
}

export const shownLineCharactersMax = 2_000;

export const croppedMarginCharacters = 60;

export type ChangedLines = { readonly before: string; readonly after: string };

// People share what they see on a screen, so secrets are masked.
export function findChangedLines(
  { text, language }: SettingsText,
  edits: readonly Edit[],
): readonly ChangedLines[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of sorted) {
    const { start, end } = findSurroundings(text, edit);
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start, end, edits: [edit] });
  }
  if (groups.length === 0) return [];
  const after = applyEdits(text, edits) ?? text;
  const [secrets, secretsAfter] = [text, after].map((source) => {
    const root = treeParsers[language](source);
    return "fault" in root ? [] : findSecretSpans(root, source);
  });
  let shift = 0;
  return groups.map(({ start, end, edits: groupEdits }) => {
    const startAfter = start + shift;
    for (const edit of groupEdits) shift += edit.text.length - (edit.end - edit.start);
    return {
      before: maskSpans(text, { start, end }, secrets ?? []),
      after: maskSpans(after, { start: startAfter, end: end + shift }, secretsAfter ?? []),
    };
  });
}

function findSurroundings(text: string, { start, end }: Edit): { start: number; end: number } {
  const first = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const last = next < 0 ? text.length : next;
  if (last - first <= shownLineCharactersMax) return { start: first, end: last };
  return {
    start: Math.max(first, start - croppedMarginCharacters),
    end: Math.min(last, end + croppedMarginCharacters),
  };
}
