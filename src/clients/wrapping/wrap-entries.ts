import { type SyntaxNode, isEquivalent, type SyntaxMember } from "#kit/syntax/syntax-tree.ts";
import {
  type ChangedText,
  changeText,
  partParsers,
  type PlacedChange,
  type TwoTexts,
} from "./change-text.ts";
import type { Edit, Refusal } from "./edits.ts";
import {
  type EntryLayout,
  type EntryPlace,
  findLayout,
  findPart,
  type PartPath,
  findUniqueMember,
  type CommandForm,
} from "./entry-layout.ts";
import { editMembers, membersHold, type MemberTexts, readMember } from "./member-texts.ts";
import { type SettingsText, wrapCommand } from "./wrap-edits.ts";
import {
  layOutList,
  joinListItems,
  formatKey,
  findLineEnding,
  formatMember,
  quoteLiteral,
  formatValue,
} from "./literals.ts";

export type Wrapping = EntryPlace & { readonly front: readonly string[] };

export type Unwrapping = EntryPlace & { readonly count: number };

export type Reversion = { readonly path: PartPath; readonly texts: MemberTexts };

export function wrapEntries<Change extends Wrapping | Conversion>(
  settings: SettingsText,
  changes: readonly Change[],
): ChangedText<Change> {
  return changeText<Change>(settings, changes, {
    locate: (root, change) =>
      isConversion(change)
        ? placeMembers(settings, root, change, (holder) =>
            buildConversion(settings, holder, change),
          )
        : placeCommand(root, change, (layout) => wrapCommand(settings, layout, change.front)),
    holds: (texts, change) =>
      isConversion(change)
        ? conversionHolds(texts, change)
        : hasWords(texts, change, (words) => [...change.front, ...words]),
    isReversible: (text, done: readonly (Wrapping | Conversion)[]) => {
      const conversions = done.filter(isConversion);
      const texts = buildReversions(settings, conversions);
      const undone = unwrapEntries({ ...settings, text }, [
        ...conversions.flatMap(({ path }, at) => {
          const before = texts[at];
          return before === undefined ? [] : [{ path, texts: before }];
        }),
        ...done.flatMap((change) =>
          isConversion(change) ? [] : [{ ...change, count: change.front.length }],
        ),
      ]);
      return undone.text === settings.text && undone.refused.size === 0;
    },
  });
}

export function unwrapEntries<Change extends Unwrapping | Reversion>(
  settings: SettingsText,
  changes: readonly Change[],
): ChangedText<Change> {
  return changeText<Change>(settings, changes, {
    locate: (root, change) =>
      isReversion(change)
        ? placeMembers(settings, root, change, () => change.texts)
        : placeCommand(root, change, (layout) => unwrapCommand(settings, layout, change.count)),
    holds: (texts, change) =>
      isReversion(change)
        ? membersHold(findPart(texts.after.root, change.path), change.texts)
        : hasWords(texts, change, (words) => words.slice(change.count)),
    isReversible: () => true,
  });
}

export function buildReversions(
  settings: SettingsText,
  conversions: readonly Conversion[],
): readonly MemberTexts[] {
  const root = conversions.length === 0 ? undefined : partParsers[settings.language](settings.text);
  return conversions.map((conversion) => {
    const holder = root && !("fault" in root) ? findPart(root, conversion.path) : "unparsable";
    return buildReversion(settings, typeof holder === "string" ? undefined : holder, conversion);
  });
}

function isConversion(change: Wrapping | Conversion): change is Conversion {
  return "converted" in change;
}

function isReversion(change: Unwrapping | Reversion): change is Reversion {
  return "texts" in change;
}

function placeCommand(
  root: SyntaxNode,
  { path, form }: EntryPlace,
  makeEdits: (layout: EntryLayout) => readonly Edit[] | undefined,
): PlacedChange | Refusal {
  const layout = findLayout(root, path, form);
  if (typeof layout === "string") return layout;
  const edits = makeEdits(layout);
  const { holder, changing } = layout;
  return edits === undefined ? "layout" : { edits, holder, changing };
}

function placeMembers(
  settings: SettingsText,
  root: SyntaxNode,
  { path }: { readonly path: PartPath },
  makeTexts: (holder: SyntaxNode) => MemberTexts | Refusal,
): PlacedChange | Refusal {
  const holder = findPart(root, path);
  if (typeof holder === "string") return holder;
  const texts = makeTexts(holder);
  return typeof texts === "string" ? texts : editMembers(settings, holder, texts);
}

function hasWords(
  { before, after }: TwoTexts,
  { path, form }: EntryPlace,
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

// A literal that is not a text gets a NUL, with which no word begins, so it never equals a word.
function readWords(text: string, { command, list }: EntryLayout): readonly string[] {
  const nodes = [
    ...(command ? [command.node] : []),
    ...(list?.items ?? []).map(({ node }) => node),
  ];
  return nodes.map((node) =>
    node.kind === "text" && !node.isShared
      ? node.value
      : `\u0000${text.slice(node.start, node.end)}`,
  );
}

function unwrapCommand(
  settings: SettingsText,
  layout: EntryLayout,
  count: number,
): readonly Edit[] | undefined {
  const { text } = settings;
  const { command, list } = layout;
  if (list === undefined) return undefined;
  if (command === undefined) return [removeItems(text, list, count)];
  const word = list.items[count - 1]?.node;
  if (word?.kind !== "text" || word.isShared) return undefined;
  const literal = text.slice(word.start, word.end);
  if (settings.language === "yaml" && /[\r\n]/.test(literal)) return undefined;
  const { start, end } = command.node;
  const listRemoval = count === list.items.length ? removeAddedList(settings, layout) : undefined;
  return [{ start, end, text: literal }, listRemoval ?? removeItems(text, list, count)];
}

// Undefined when `wrapCommand` did not add the list, or its words have changed since.
function removeAddedList({ text, language }: SettingsText, layout: EntryLayout): Edit | undefined {
  const list = layOutList(text, language, layout);
  if (list === undefined || layout.list === undefined) return undefined;
  const literals = layout.list.items.map(({ node }) => text.slice(node.start, node.end));
  const added = `${list.before}${joinListItems(literals)}${list.after}`;
  const start = language === "json" ? list.at : list.at - added.length;
  const end = start + added.length;
  return text.slice(start, end) === added ? { start, end, text: "" } : undefined;
}

function removeItems(text: string, list: SyntaxNode, count: number): Edit {
  const { items, isBlock } = list;
  const start = items[0]?.start ?? 0;
  const next = items[count];
  if (next) return { start, end: next.start, text: "" };
  const end = items.at(-1)?.node.end ?? start;
  // A YAML block without items would be null.
  if (isBlock) return { start, end, text: "[]" };
  // Without items, a comma after the last one must go as well.
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? "";
  const bare = { start, end: end + comma.length, text: "" };
  // Wrapping puts no space after the bracket; if some is there, a client has laid out the list.
  const before = text.slice(list.start + 1, start);
  const after = text.slice(bare.end, list.end - 1);
  const isLaidOut = before !== "" && `${before}${after}`.trim() === "";
  return isLaidOut ? { start: list.start + 1, end: list.end - 1, text: "" } : bare;
}

// Both names have only letters, digits, `_` and `-`.
type NewName = { readonly from: string; readonly to: string };

export type NewMember = { readonly name: string; readonly value: string | readonly string[] };

export type MemberChanges = {
  readonly renamed: readonly NewName[];
  readonly inner: readonly (NewName & { readonly of: string })[];
  readonly replaced: readonly { readonly from: string; readonly to: readonly NewMember[] }[];
  readonly values: readonly { readonly of: string; readonly to: string }[];
};

export type Conversion = { readonly path: PartPath; readonly converted: MemberChanges };

export function buildConversion(
  settings: SettingsText,
  holder: SyntaxNode,
  { converted }: Conversion,
): MemberTexts | Refusal {
  const { renamed, inner, replaced, values } = converted;
  const makeKeys = (name: string): readonly string[] => [formatKey(settings.language, name)];
  const written = replaced.map(({ from, to }) => {
    const member = findUniqueMember(holder, from);
    if (member === undefined) return "missing" as const;
    if (member === "duplicate") return member;
    const text = layOutMembers(settings, holder, member, to);
    return text === undefined ? ("layout" as const) : { from: [from], text };
  });
  const refusal = written.find((result) => typeof result === "string");
  if (refusal !== undefined) return refusal;
  return {
    renamed: renamed.map(({ from, to }) => ({ from, keys: makeKeys(to) })),
    inner: inner.map(({ of, from, to }) => ({ of, from, keys: makeKeys(to) })),
    replaced: written.filter((result) => typeof result === "object"),
    values: values.map(({ of, to }) => ({ of, text: quoteLiteral(to) })),
    removed: [],
    after: [
      ...renamed.map(({ to }) => to),
      ...replaced.flatMap(({ to }) => to.map(({ name }) => name)),
      ...values.map(({ of }) => of),
    ],
  };
}

export function buildReversion(
  { text }: SettingsText,
  holder: SyntaxNode | undefined,
  { converted }: Conversion,
): MemberTexts {
  const { renamed, inner, replaced, values } = converted;
  return {
    renamed: renamed.map(({ from, to }) => ({ from: to, keys: readKeys(text, holder, from) })),
    inner: inner.map(({ of, from, to }) => ({
      of: renamed.find((change) => change.from === of)?.to ?? of,
      from: to,
      keys: readKeys(text, findMember(holder, of)?.node, from),
    })),
    replaced: replaced.map(({ from, to }) => {
      const member = findMember(holder, from);
      return { from: to.map(({ name }) => name), text: member ? readMember(text, member) : "" };
    }),
    values: values.map(({ of }) => {
      const { start = 0, end = 0 } = findMember(holder, of)?.node ?? {};
      return { of, text: text.slice(start, end) };
    }),
    removed: [],
    after: [...[...renamed, ...replaced].map(({ from }) => from), ...values.map(({ of }) => of)],
  };
}

function findMember(holder: SyntaxNode | undefined, name: string): SyntaxMember | undefined {
  const found = holder && findUniqueMember(holder, name);
  return found === "duplicate" ? undefined : found;
}

function readKeys(text: string, holder: SyntaxNode | undefined, name: string): readonly string[] {
  const spans = findMember(holder, name)?.nameRanges ?? [];
  return spans.map(([start, end]) => text.slice(start, end));
}

export function conversionHolds(
  { before, after }: TwoTexts,
  { path, converted }: Conversion,
): boolean {
  const [earlier, changed] = [findPart(before.root, path), findPart(after.root, path)];
  if (typeof earlier === "string" || typeof changed === "string") return false;
  const { renamed, inner, replaced, values } = converted;
  const added = [
    ...replaced.flatMap(({ to }) => to),
    ...values.map(({ of, to }) => ({ name: of, value: to })),
  ];
  return (
    added.every((member) => isWritten(changed, member)) &&
    renamed.every(({ from, to }) => {
      const [oldMember, newMember] = [findMember(earlier, from), findMember(changed, to)];
      const names = inner.filter(({ of }) => of === from);
      if (oldMember === undefined || newMember === undefined) return false;
      const root = renameMembers(
        oldMember.node,
        new Map(names.map((name) => [name.from, name.to])),
      );
      return isEquivalent({ ...before, root }, { ...after, root: newMember.node }, new Map());
    })
  );
}

function renameMembers(node: SyntaxNode, names: ReadonlyMap<string, string>): SyntaxNode {
  const members = node.members.map((member) => {
    return { ...member, name: names.get(member.name) ?? member.name };
  });
  return { ...node, members };
}

function isWritten(holder: SyntaxNode, { name, value }: NewMember): boolean {
  const member = findUniqueMember(holder, name);
  if (typeof member !== "object") return false;
  const { node } = member;
  if (typeof value === "string") return node.kind === "text" && node.value === value;
  const words = node.items.map((item) => (item.node.kind === "text" ? item.node.value : undefined));
  return words.length === value.length && words.every((word, at) => word === value[at]);
}

function layOutMembers(
  { text, language }: SettingsText,
  holder: SyntaxNode,
  member: SyntaxMember,
  to: readonly NewMember[],
): string | undefined {
  const literals = to.map(({ name, value }) => formatMember(language, name, formatValue(value)));
  // A TOML table has no single position in the file.
  if (member.node.end <= member.start) return undefined;
  // In YAML, a text of several lines depends on the margin around it.
  if (language === "yaml" && /[\r\n]/.test(readMember(text, member))) return undefined;
  const key = language === "toml" ? text.slice(member.start, member.lastKeyStart) : "";
  const line = text.lastIndexOf("\n", member.start - 1) + 1;
  const margin = text.slice(line, member.start);
  const isOwnLine = (holder.isBlock && language === "yaml" ? /^[ -]*$/ : /^[ \t]*$/).test(margin);
  if (holder.isBlock && !isOwnLine && literals.length > 1) return undefined;
  const newLine = `${findLineEnding(text, member.start)}${margin.replaceAll("-", " ")}`;
  const comma = holder.isBlock ? "" : ",";
  const gap = isOwnLine ? newLine : " ";
  return literals.map((literal) => `${key}${literal}`).join(`${comma}${gap}`);
}

export function makeCommandMembers(
  form: CommandForm,
  words: readonly string[],
): readonly NewMember[] {
  const [program = "", ...args] = words;
  if (form === "list") return [{ name: "command", value: words }];
  return [
    { name: form, value: program },
    { name: "args", value: args },
  ];
}
