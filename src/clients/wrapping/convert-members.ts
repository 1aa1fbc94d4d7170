import { type SyntaxNode, isEquivalent, type SyntaxMember } from "#kit/syntax/syntax-tree.ts";
import type { EntryForm } from "../configured-entries.ts";
import { type ChangedTrees, treeParsers, type Refusal } from "./change-text.ts";
import { findNode, type NodePath, findUniqueMember } from "./entry-layout.ts";
import { type MemberTexts, readMemberText } from "./member-texts.ts";
import {
  dependsOnIndent,
  findLineEnding,
  findIndent,
  formatKey,
  formatMember,
  formatLiteral,
  quoteLiteral,
  type SettingsText,
} from "./literals.ts";

type Renaming = { readonly from: string; readonly to: string };

export type NewMember = { readonly name: string; readonly value: string | readonly string[] };

export type MemberChanges = {
  readonly renamed: readonly Renaming[];
  // Each item renames a member inside another one, whose name is `of`.
  readonly inner: readonly (Renaming & { readonly of: string })[];
  readonly replaced: readonly { readonly from: string; readonly to: readonly NewMember[] }[];
  // Each item sets the value of the member whose name is `of`.
  readonly values: readonly { readonly of: string; readonly to: string }[];
};

export type Conversion = { readonly path: NodePath; readonly converted: MemberChanges };

export function buildConversion(
  settings: SettingsText,
  parent: SyntaxNode,
  { converted }: Conversion,
): MemberTexts | Refusal {
  const { renamed, inner, replaced, values } = converted;
  const makeKeys = (name: string): readonly string[] => [formatKey(settings.language, name)];
  const replacements = replaced.map(({ from, to }) => {
    const member = findUniqueMember(parent, from);
    if (member === undefined) return "missing" as const;
    if (member === "duplicate") return member;
    const text = layOutMembers(settings, parent, member, to);
    return text === undefined ? ("layout" as const) : { from: [from], text };
  });
  const refusal = replacements.find((result) => typeof result === "string");
  if (refusal !== undefined) return refusal;
  return {
    renamed: renamed.map(({ from, to }) => ({ from, keys: makeKeys(to) })),
    inner: inner.map(({ of, from, to }) => ({ of, from, keys: makeKeys(to) })),
    replaced: replacements.filter((result) => typeof result === "object"),
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
  parent: SyntaxNode | undefined,
  { converted }: Conversion,
): MemberTexts {
  const { renamed, inner, replaced, values } = converted;
  return {
    renamed: renamed.map(({ from, to }) => ({ from: to, keys: readKeys(text, parent, from) })),
    inner: inner.map(({ of, from, to }) => ({
      of: renamed.find((change) => change.from === of)?.to ?? of,
      from: to,
      keys: readKeys(text, findMember(parent, of)?.node, from),
    })),
    replaced: replaced.map(({ from, to }) => {
      const member = findMember(parent, from);
      return { from: to.map(({ name }) => name), text: member ? readMemberText(text, member) : "" };
    }),
    values: values.map(({ of }) => {
      const { start = 0, end = 0 } = findMember(parent, of)?.node ?? {};
      return { of, text: text.slice(start, end) };
    }),
    removed: [],
    after: [...[...renamed, ...replaced].map(({ from }) => from), ...values.map(({ of }) => of)],
  };
}

function findMember(parent: SyntaxNode | undefined, name: string): SyntaxMember | undefined {
  const found = parent && findUniqueMember(parent, name);
  return found === "duplicate" ? undefined : found;
}

function readKeys(text: string, parent: SyntaxNode | undefined, name: string): readonly string[] {
  const spans = findMember(parent, name)?.nameRanges ?? [];
  return spans.map(([start, end]) => text.slice(start, end));
}

export function isConversionApplied(
  { before, after }: ChangedTrees,
  { path, converted }: Conversion,
): boolean {
  const [earlier, changed] = [findNode(before.root, path), findNode(after.root, path)];
  if (typeof earlier === "string" || typeof changed === "string") return false;
  const { renamed, inner, replaced, values } = converted;
  const added = [
    ...replaced.flatMap(({ to }) => to),
    ...values.map(({ of, to }) => ({ name: of, value: to })),
  ];
  return (
    added.every((member) => hasMember(changed, member)) &&
    renamed.every(({ from, to }) => {
      const [oldMember, newMember] = [findMember(earlier, from), findMember(changed, to)];
      if (oldMember === undefined || newMember === undefined) return false;
      const names = inner.flatMap((renaming) =>
        renaming.of === from ? [[renaming.from, renaming.to] as const] : [],
      );
      const root = renameMembers(oldMember.node, new Map(names));
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

function hasMember(parent: SyntaxNode, { name, value }: NewMember): boolean {
  const member = findUniqueMember(parent, name);
  if (typeof member !== "object") return false;
  const { node } = member;
  if (typeof value === "string") return node.kind === "text" && node.value === value;
  const words = node.items.map((item) => (item.node.kind === "text" ? item.node.value : undefined));
  return words.length === value.length && words.every((word, at) => word === value[at]);
}

function layOutMembers(
  settings: SettingsText,
  parent: SyntaxNode,
  member: SyntaxMember,
  newMembers: readonly NewMember[],
): string | undefined {
  const { text, language } = settings;
  const literals = newMembers.map(({ name, value }) =>
    formatMember(language, name, formatLiteral(value)),
  );
  // A TOML table has no position, because it can be in several parts of the file.
  if (member.node.end <= member.start) return undefined;
  if (dependsOnIndent(language, readMemberText(text, member))) return undefined;
  const key = language === "toml" ? text.slice(member.start, member.lastKeyStart) : "";
  const indent = findIndent(settings, member.start);
  if (parent.isBlock && indent === undefined && literals.length > 1) return undefined;
  const gap = indent === undefined ? " " : `${findLineEnding(text, member.start)}${indent}`;
  const comma = parent.isBlock ? "" : ",";
  return literals.map((literal) => `${key}${literal}`).join(`${comma}${gap}`);
}

export function makeCommandMembers(
  form: EntryForm,
  words: readonly string[],
): readonly NewMember[] {
  const [program = "", ...args] = words;
  if (form === "array") return [{ name: "command", value: words }];
  return [
    { name: form, value: program },
    { name: "args", value: args },
  ];
}

export function buildReversions<Source extends Conversion>(
  settings: SettingsText,
  conversions: readonly Source[],
): readonly (Source & { readonly texts: MemberTexts })[] {
  const root = conversions.length === 0 ? undefined : treeParsers[settings.language](settings.text);
  return conversions.map((conversion) => {
    const found = root && !("fault" in root) ? findNode(root, conversion.path) : undefined;
    const parent = typeof found === "string" ? undefined : found;
    return { ...conversion, texts: buildReversion(settings, parent, conversion) };
  });
}
