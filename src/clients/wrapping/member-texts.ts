import type { PartMember, PlacedPart } from "#kit/syntax/part.ts";
import type { PlacedChange } from "./change-text.ts";
import type { Edit, Refusal } from "./edits.ts";
import { ownMember } from "./entry-layout.ts";
import type { SettingsText } from "./wrap-edits.ts";

type RenamedMember = { readonly from: string; readonly keys: readonly string[] };

export type MemberTexts = {
  readonly renamed: readonly RenamedMember[];
  readonly inner: readonly (RenamedMember & { readonly of: string })[];
  readonly replaced: readonly { readonly from: readonly string[]; readonly text: string }[];
  readonly values: readonly { readonly of: string; readonly text: string }[];
  readonly removed: readonly string[];
  readonly after: readonly string[];
};

export function memberEdits(
  { text, language }: SettingsText,
  holder: PlacedPart,
  texts: MemberTexts,
): PlacedChange | Refusal {
  const edits: (Edit | Refusal)[] = [
    ...texts.renamed.flatMap(({ from, keys }) =>
      withMember(holder, from, ({ names }) => renameEdits(names, keys)),
    ),
    ...texts.inner.flatMap(({ of, from, keys }) =>
      withMember(holder, of, ({ part }) =>
        withMember(part, from, ({ names }) => renameEdits(names, keys)),
      ),
    ),
    ...texts.values.flatMap(({ of, text: value }) =>
      withMember(holder, of, ({ part }) => [{ start: part.start, end: part.end, text: value }]),
    ),
    ...texts.replaced.flatMap(({ from, text: inserted }) =>
      replaceEdits({ text, language }, holder, from, inserted),
    ),
    ...texts.removed.flatMap((name) =>
      withMember(holder, name, (member) => [removeEdit({ text, language }, holder, member)]),
    ),
  ];
  const refusal = edits.find((one) => typeof one === "string");
  if (refusal !== undefined) return refusal;
  const made = edits.flatMap((one) => (typeof one === "string" ? [] : [one]));
  return { edits: made, holder, changing: new Set([...namesBefore(texts), ...texts.after]) };
}

export function membersHold(holder: PlacedPart | Refusal, texts: MemberTexts): boolean {
  if (typeof holder === "string") return false;
  const isThere = (name: string): boolean => typeof ownMember(holder, name) === "object";
  const gone = namesBefore(texts).filter((name) => !texts.after.includes(name));
  return texts.after.every(isThere) && !gone.some((name) => ownMember(holder, name) !== undefined);
}

/** From the first key to the end of the value. */
export function memberText(text: string, { start, part }: PartMember): string {
  // A block of YAML ends behind its last line.
  return text.slice(start, part.end).trimEnd();
}

function namesBefore({ renamed, replaced, values, removed }: MemberTexts): readonly string[] {
  return [
    ...renamed.map(({ from }) => from),
    ...replaced.flatMap(({ from }) => from),
    ...values.map(({ of }) => of),
    ...removed,
  ];
}

function withMember(
  holder: PlacedPart,
  name: string,
  editsFor: (member: PartMember) => readonly (Edit | Refusal)[],
): readonly (Edit | Refusal)[] {
  const member = ownMember(holder, name);
  if (member === undefined) return ["missing"];
  if (member === "duplicate") return [member];
  return member.part.isShared ? ["shared"] : editsFor(member);
}

function renameEdits(
  places: PartMember["names"],
  keys: readonly string[],
): readonly (Edit | Refusal)[] {
  // A table that only inner tables name has no place.
  if (places.length === 0) return ["layout"];
  return places.map(([start, end], at) => ({ start, end, text: keys[at] ?? keys[0] ?? "" }));
}

// Members in a row are replaced together; otherwise the first is replaced and the others are removed.
function replaceEdits(
  settings: SettingsText,
  holder: PlacedPart,
  names: readonly string[],
  inserted: string,
): readonly (Edit | Refusal)[] {
  const found = names.map((name) => ownMember(holder, name));
  if (found.includes("duplicate")) return ["duplicate"];
  const members = found.filter((one) => typeof one === "object");
  const [first, ...others] = members;
  if (first === undefined || members.length < names.length) return ["missing"];
  if (members.some(({ part }) => part.isShared)) return ["shared"];
  const { text } = settings;
  const ends = members.map((member) => member.start + memberText(text, member).length);
  const isTogether = others.every(({ start }, at) => {
    const before = ends[at] ?? 0;
    return before < start && /^[\s,]*$/.test(text.slice(before, start));
  });
  const end = (isTogether ? ends.at(-1) : ends[0]) ?? first.start;
  const replaced = { start: first.start, end, text: inserted };
  return isTogether
    ? [replaced]
    : [replaced, ...others.map((member) => removeEdit(settings, holder, member))];
}

function removeEdit(
  { text }: SettingsText,
  holder: PlacedPart,
  member: PartMember,
): Edit | Refusal {
  const end = member.start + memberText(text, member).length;
  if (holder.isBlock) return lineEdit(text, member.start, end);
  const at = holder.members.indexOf(member);
  const next = holder.members[at + 1];
  if (next) return { start: member.start, end: next.start, text: "" };
  const before = holder.members[at - 1];
  return { start: before?.part.end ?? member.start, end, text: "" };
}

// The lines must have nothing else.
function lineEdit(text: string, start: number, end: number): Edit | Refusal {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const last = next < 0 ? text.length : next + 1;
  const isWhole = /^[ \t]*$/.test(text.slice(line, start)) && /^\s*$/.test(text.slice(end, last));
  return isWhole ? { start: line, end: last, text: "" } : "layout";
}
