import type { SyntaxNode } from "#kit/syntax/syntax-tree.ts";
import {
  type ChangedText,
  type ChangedTrees,
  changeText,
  type PlannedEdits,
  type Edit,
  type Refusal,
} from "./change-text.ts";
import {
  buildConversion,
  buildReversions,
  type Conversion,
  isConversionApplied,
} from "./convert-members.ts";
import {
  type EntryLayout,
  type EntryLocation,
  findLayout,
  findNode,
  type NodePath,
} from "./entry-layout.ts";
import { editMembers, areTextsApplied, type MemberTexts } from "./member-texts.ts";
import {
  editOptions,
  type OptionChange,
  unwrapCommand,
  wrapCommand,
} from "./edit-command-words.ts";
import type { SettingsText } from "./literals.ts";

/** A new wrapping has no `at`: its `front` is put before the command. */
export type Wrapping = EntryLocation & (OptionChange | Pick<OptionChange, "front">);

/** `count` is the number of leading words to remove. */
export type Unwrapping = EntryLocation & { readonly count: number };

export type Reversion = { readonly path: NodePath; readonly texts: MemberTexts };

export function wrapEntries<Change extends Wrapping | Conversion>(
  settings: SettingsText,
  changes: readonly Change[],
): ChangedText<Change> {
  return changeText<Change>(settings, changes, {
    plan: (root, change) =>
      isConversion(change)
        ? planMemberEdits(settings, root, change, (parent) =>
            buildConversion(settings, parent, change),
          )
        : planCommandEdits(root, change, (layout) =>
            "at" in change
              ? editOptions(settings, layout, change)
              : wrapCommand(settings, layout, change.front),
          ),
    isApplied: (trees, change) =>
      isConversion(change)
        ? isConversionApplied(trees, change)
        : hasWords(trees, change, (words) => applyWrapping(words, change)),
    isReversible: (text, done) => isReversible(settings, text, done),
  });
}

// True if unwrapping restores the settings from before the first wrapping.
function isReversible(
  settings: SettingsText,
  text: string,
  done: readonly (Wrapping | Conversion)[],
): boolean {
  const wrappings = done.filter((change): change is Wrapping => !isConversion(change));
  const undone = unwrapEntries({ ...settings, text }, [
    ...buildReversions(settings, done.filter(isConversion)),
    ...wrappings.map(makeUnwrapping),
  ]);
  const earlierWrappings = wrappings.flatMap((change) =>
    "at" in change ? [{ ...change, count: change.at + 1 }] : [],
  );
  const original =
    earlierWrappings.length === 0 ? settings : unwrapEntries(settings, earlierWrappings);
  return undone.text === original.text && undone.refused.size === 0;
}

function applyWrapping(words: readonly string[], change: Wrapping): readonly string[] {
  const { at, dropped = [], front } = "at" in change ? change : { at: 0, front: change.front };
  const remaining = words.slice(0, at).filter((_, index) => !dropped.includes(index));
  return [...remaining, ...front, ...words.slice(at)];
}

function makeUnwrapping(change: Wrapping): Unwrapping {
  const { front } = change;
  const wordsBefore = "at" in change ? change.at + 1 - (change.dropped?.length ?? 0) : 0;
  return { ...change, count: front.length + wordsBefore };
}

export function unwrapEntries<Change extends Unwrapping | Reversion>(
  settings: SettingsText,
  changes: readonly Change[],
): ChangedText<Change> {
  return changeText<Change>(settings, changes, {
    plan: (root, change) =>
      isReversion(change)
        ? planMemberEdits(settings, root, change, () => change.texts)
        : planCommandEdits(root, change, (layout) => unwrapCommand(settings, layout, change.count)),
    isApplied: (trees, change) =>
      isReversion(change)
        ? areTextsApplied(findNode(trees.after.root, change.path), change.texts)
        : hasWords(trees, change, (words) => words.slice(change.count)),
    isReversible: () => true,
  });
}

function isConversion(change: Wrapping | Conversion): change is Conversion {
  return "converted" in change;
}

function isReversion(change: Unwrapping | Reversion): change is Reversion {
  return "texts" in change;
}

function planCommandEdits(
  root: SyntaxNode,
  { path, form }: EntryLocation,
  makeEdits: (layout: EntryLayout) => readonly Edit[] | undefined,
): PlannedEdits | Refusal {
  const layout = findLayout(root, path, form);
  if (typeof layout === "string") return layout;
  const edits = makeEdits(layout);
  const { parent, editableNames } = layout;
  return edits === undefined ? "layout" : { edits, parent, editableNames };
}

function planMemberEdits(
  { text }: SettingsText,
  root: SyntaxNode,
  { path }: { readonly path: NodePath },
  makeTexts: (parent: SyntaxNode) => MemberTexts | Refusal,
): PlannedEdits | Refusal {
  const parent = findNode(root, path);
  if (typeof parent === "string") return parent;
  const texts = makeTexts(parent);
  return typeof texts === "string" ? texts : editMembers(text, parent, texts);
}

function hasWords(
  { before, after }: ChangedTrees,
  { path, form }: EntryLocation,
  changeWords: (words: readonly string[]) => readonly string[],
): boolean {
  const [earlier, changed] = [
    findLayout(before.root, path, form),
    findLayout(after.root, path, form),
  ];
  if (typeof earlier === "string" || typeof changed === "string") return false;
  const expected = changeWords(readWords(before.text, earlier));
  const words = readWords(after.text, changed);
  return words.length === expected.length && words.every((word, at) => word === expected[at]);
}

// Literals that are not strings, or have a YAML anchor or tag, get a leading NUL. So no string equals them.
function readWords(text: string, { command, list }: EntryLayout): readonly string[] {
  const nodes = [
    ...(command ? [command.node] : []),
    ...(list?.items ?? []).map(({ node }) => node),
  ];
  return nodes.map((node) =>
    node.kind === "text" && !node.hasSpecialSyntax
      ? node.value
      : `\u0000${text.slice(node.start, node.end)}`,
  );
}
