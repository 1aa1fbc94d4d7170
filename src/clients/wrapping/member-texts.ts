import type { SyntaxMember, SyntaxNode } from "#kit/syntax/syntax-tree.ts";
import type { PlannedEdits, Edit, Refusal } from "./change-text.ts";
import { findUniqueMember } from "./entry-layout.ts";

// Each key is the new name as it goes into the file, in quotes if needed. `keys` has one key for each of the member's
// `nameRanges`, or one for all.
type RenamedMember = { readonly from: string; readonly keys: readonly string[] };

// `writeRemoteNotes` saves values of this type, so do not rename its fields.
export type MemberTexts = {
  readonly renamed: readonly RenamedMember[];
  // Renames the member `from` inside the member `of`.
  readonly inner: readonly (RenamedMember & { readonly of: string })[];
  readonly replaced: readonly { readonly from: readonly string[]; readonly text: string }[];
  // Replaces the value of the member `of`.
  readonly values: readonly { readonly of: string; readonly text: string }[];
  readonly removed: readonly string[];
  // The names that the changed members have after the change.
  readonly after: readonly string[];
};

export function editMembers(
  text: string,
  parent: SyntaxNode,
  texts: MemberTexts,
): PlannedEdits | Refusal {
  const edits: (Edit | Refusal)[] = [
    ...texts.renamed.flatMap(({ from, keys }) =>
      makeMemberEdits(parent, from, ({ nameRanges }) => makeRenameEdits(nameRanges, keys)),
    ),
    ...texts.inner.flatMap(({ of, from, keys }) =>
      makeMemberEdits(parent, of, ({ node }) =>
        makeMemberEdits(node, from, ({ nameRanges }) => makeRenameEdits(nameRanges, keys)),
      ),
    ),
    ...texts.values.flatMap(({ of, text: value }) =>
      makeMemberEdits(parent, of, ({ node }) => [
        { start: node.start, end: node.end, text: value },
      ]),
    ),
    ...texts.replaced.flatMap(({ from, text: inserted }) =>
      makeReplaceEdits(text, parent, from, inserted),
    ),
    ...texts.removed.flatMap((name) =>
      makeMemberEdits(parent, name, (member) => [removeMember(text, parent, member)]),
    ),
  ];
  const refusal = edits.find((edit) => typeof edit === "string");
  if (refusal !== undefined) return refusal;
  const accepted = edits.flatMap((edit) => (typeof edit === "string" ? [] : [edit]));
  return {
    edits: accepted,
    parent,
    editableNames: new Set([...listNamesBefore(texts), ...texts.after]),
  };
}

export function areTextsApplied(parent: SyntaxNode | Refusal, texts: MemberTexts): boolean {
  if (typeof parent === "string") return false;
  const exists = (name: string): boolean => typeof findUniqueMember(parent, name) === "object";
  const removedNames = listNamesBefore(texts).filter((name) => !texts.after.includes(name));
  return (
    texts.after.every(exists) &&
    !removedNames.some((name) => findUniqueMember(parent, name) !== undefined)
  );
}

export function readMemberText(text: string, { start, node }: SyntaxMember): string {
  // A YAML block ends after the line break of its last line.
  return text.slice(start, node.end).trimEnd();
}

function listNamesBefore({ renamed, replaced, values, removed }: MemberTexts): readonly string[] {
  return [
    ...renamed.map(({ from }) => from),
    ...replaced.flatMap(({ from }) => from),
    ...values.map(({ of }) => of),
    ...removed,
  ];
}

function makeMemberEdits(
  parent: SyntaxNode,
  name: string,
  makeEdits: (member: SyntaxMember) => readonly (Edit | Refusal)[],
): readonly (Edit | Refusal)[] {
  const member = findUniqueMember(parent, name);
  if (member === undefined) return ["missing"];
  if (member === "duplicate") return [member];
  return member.node.hasSpecialSyntax ? ["special_syntax"] : makeEdits(member);
}

function makeRenameEdits(
  spans: SyntaxMember["nameRanges"],
  keys: readonly string[],
): readonly (Edit | Refusal)[] {
  if (spans.length === 0) return ["layout"];
  return spans.map(([start, end], at) => ({ start, end, text: keys[at] ?? keys[0] ?? "" }));
}

function makeReplaceEdits(
  text: string,
  parent: SyntaxNode,
  names: readonly string[],
  inserted: string,
): readonly (Edit | Refusal)[] {
  const matches = names.map((name) => findUniqueMember(parent, name));
  if (matches.includes("duplicate")) return ["duplicate"];
  const members = matches.filter((match) => typeof match === "object");
  const [first, ...others] = members;
  if (first === undefined || members.length < names.length) return ["missing"];
  if (members.some(({ node }) => node.hasSpecialSyntax)) return ["special_syntax"];
  const ends = members.map((member) => member.start + readMemberText(text, member).length);
  const areAdjacent = others.every(({ start }, at) => {
    const before = ends[at] ?? 0;
    return before < start && /^[\s,]*$/.test(text.slice(before, start));
  });
  const end = (areAdjacent ? ends.at(-1) : ends[0]) ?? first.start;
  const replaced = { start: first.start, end, text: inserted };
  return areAdjacent
    ? [replaced]
    : [replaced, ...others.map((member) => removeMember(text, parent, member))];
}

function removeMember(text: string, parent: SyntaxNode, member: SyntaxMember): Edit | Refusal {
  const end = member.start + readMemberText(text, member).length;
  if (parent.isBlock) return removeLines(text, member.start, end);
  const at = parent.members.indexOf(member);
  const next = parent.members[at + 1];
  if (next) return { start: member.start, end: next.start, text: "" };
  const before = parent.members[at - 1];
  return { start: before?.node.end ?? member.start, end, text: "" };
}

function removeLines(text: string, start: number, end: number): Edit | Refusal {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const last = next < 0 ? text.length : next + 1;
  const isWhole = /^[ \t]*$/.test(text.slice(line, start)) && /^\s*$/.test(text.slice(end, last));
  return isWhole ? { start: line, end: last, text: "" } : "layout";
}
