import { isSameMeaning, type PlacedPart, type PartMember } from "#kit/syntax/part.ts";
import type { TwoTexts } from "./change-text.ts";
import { ownMember, partAt, type PartPath } from "./entry-layout.ts";
import { keyLiteral, lineEndAt, memberLiteral, quoteLiteral, valueLiteral } from "./literals.ts";
import { memberText, type MemberTexts } from "./member-texts.ts";
import type { Refusal } from "./edits.ts";
import type { SettingsText } from "./wrap-edits.ts";

/** Letters, digits, `_` and `-`. */
type NewName = { readonly from: string; readonly to: string };

export type NewMember = { readonly name: string; readonly value: string | readonly string[] };

// By these changes a client takes the entry for another kind of server.
export type MemberChanges = {
  readonly renamed: readonly NewName[];
  /** `of` is the name before the change. */
  readonly inner: readonly (NewName & { readonly of: string })[];
  readonly replaced: readonly { readonly from: string; readonly to: readonly NewMember[] }[];
  readonly values: readonly { readonly of: string; readonly to: string }[];
};

export type Conversion = { readonly path: PartPath; readonly converted: MemberChanges };

export function conversionTexts(
  settings: SettingsText,
  holder: PlacedPart,
  { converted }: Conversion,
): MemberTexts | Refusal {
  const { renamed, inner, replaced, values } = converted;
  const key = (name: string): readonly string[] => [keyLiteral(settings.language, name)];
  const written = replaced.map(({ from, to }) => {
    const member = ownMember(holder, from);
    if (member === undefined) return "missing" as const;
    if (member === "duplicate") return member;
    const text = newText(settings, holder, member, to);
    return text === undefined ? ("layout" as const) : { from: [from], text };
  });
  const refusal = written.find((one) => typeof one === "string");
  if (refusal !== undefined) return refusal;
  return {
    renamed: renamed.map(({ from, to }) => ({ from, keys: key(to) })),
    inner: inner.map(({ of, from, to }) => ({ of, from, keys: key(to) })),
    replaced: written.filter((one) => typeof one === "object"),
    values: values.map(({ of, to }) => ({ of, text: quoteLiteral(to) })),
    removed: [],
    after: [
      ...renamed.map(({ to }) => to),
      ...replaced.flatMap(({ to }) => to.map(({ name }) => name)),
      ...values.map(({ of }) => of),
    ],
  };
}

export function reversionTexts(
  { text }: SettingsText,
  holder: PlacedPart | undefined,
  { converted }: Conversion,
): MemberTexts {
  const { renamed, inner, replaced, values } = converted;
  return {
    renamed: renamed.map(({ from, to }) => ({ from: to, keys: keysOf(text, holder, from) })),
    inner: inner.map(({ of, from, to }) => ({
      of: renamed.find((one) => one.from === of)?.to ?? of,
      from: to,
      keys: keysOf(text, memberOf(holder, of)?.part, from),
    })),
    replaced: replaced.map(({ from, to }) => {
      const member = memberOf(holder, from);
      return { from: to.map(({ name }) => name), text: member ? memberText(text, member) : "" };
    }),
    values: values.map(({ of }) => {
      const { start = 0, end = 0 } = memberOf(holder, of)?.part ?? {};
      return { of, text: text.slice(start, end) };
    }),
    removed: [],
    after: [...[...renamed, ...replaced].map(({ from }) => from), ...values.map(({ of }) => of)],
  };
}

function memberOf(holder: PlacedPart | undefined, name: string): PartMember | undefined {
  const found = holder && ownMember(holder, name);
  return found === "duplicate" ? undefined : found;
}

function keysOf(text: string, holder: PlacedPart | undefined, name: string): readonly string[] {
  const places = memberOf(holder, name)?.names ?? [];
  return places.map(([start, end]) => text.slice(start, end));
}

/** New members are in place, and renamed ones have their old values. */
export function conversionHolds(
  { before, after }: TwoTexts,
  { path, converted }: Conversion,
): boolean {
  const [old, changed] = [partAt(before.root, path), partAt(after.root, path)];
  if (typeof old === "string" || typeof changed === "string") return false;
  const { renamed, inner, replaced, values } = converted;
  const made = [
    ...replaced.flatMap(({ to }) => to),
    ...values.map(({ of, to }) => ({ name: of, value: to })),
  ];
  return (
    made.every((one) => isWritten(changed, one)) &&
    renamed.every(({ from, to }) => {
      const [one, other] = [memberOf(old, from), memberOf(changed, to)];
      const names = inner.filter(({ of }) => of === from);
      if (one === undefined || other === undefined) return false;
      const root = withNames(one.part, new Map(names.map((name) => [name.from, name.to])));
      return isSameMeaning({ ...before, root }, { ...after, root: other.part }, new Map());
    })
  );
}

function withNames(part: PlacedPart, names: ReadonlyMap<string, string>): PlacedPart {
  const members = part.members.map((member) => {
    return { ...member, name: names.get(member.name) ?? member.name };
  });
  return { ...part, members };
}

function isWritten(holder: PlacedPart, { name, value }: NewMember): boolean {
  const member = ownMember(holder, name);
  if (typeof member !== "object") return false;
  const { part } = member;
  if (typeof value === "string") return part.kind === "text" && part.value === value;
  const words = part.items.map((item) => (item.part.kind === "text" ? item.part.value : undefined));
  return words.length === value.length && words.every((word, at) => word === value[at]);
}

/** Laid out like the old member; undefined where no line can follow it. */
function newText(
  { text, language }: SettingsText,
  holder: PlacedPart,
  member: PartMember,
  to: readonly NewMember[],
): string | undefined {
  const literals = to.map(({ name, value }) => memberLiteral(language, name, valueLiteral(value)));
  // A table of TOML has no place of its own.
  if (member.part.end <= member.start) return undefined;
  // In YAML, the lines of a text depend on the margin around it.
  if (language === "yaml" && /[\r\n]/.test(memberText(text, member))) return undefined;
  const key = language === "toml" ? text.slice(member.start, member.lastKey) : "";
  const line = text.lastIndexOf("\n", member.start - 1) + 1;
  const margin = text.slice(line, member.start);
  const isOwnLine = (holder.isBlock && language === "yaml" ? /^[ -]*$/ : /^[ \t]*$/).test(margin);
  if (holder.isBlock && !isOwnLine && literals.length > 1) return undefined;
  const newLine = `${lineEndAt(text, member.start)}${margin.replaceAll("-", " ")}`;
  const comma = holder.isBlock ? "" : ",";
  const gap = isOwnLine ? newLine : " ";
  return literals.map((one) => `${key}${one}`).join(`${comma}${gap}`);
}
