/** A part of a text in JSON, TOML or YAML, with its place. Offsets count UTF-16 units. */
export type PlacedPart = {
  readonly kind: "map" | "list" | "text" | "other";
  readonly start: number;
  /** Offset behind its last character. A table of TOML has no place of its own: both are 0. */
  readonly end: number;
  /** The text that it stands for, only of a text. */
  readonly value: string;
  readonly members: readonly PartMember[];
  readonly items: readonly PartItem[];
  /** True without brackets: a block of YAML, a table of TOML. */
  readonly isBlock: boolean;
  /** True for an anchor, an alias or a tag of YAML: its meaning depends on more than its text. */
  readonly isShared: boolean;
};

/** A named part. */
export type PartMember = {
  readonly name: string;
  /** Offset of its key; in TOML of all keys of the line. */
  readonly start: number;
  /** Offset of the last key, where `a.b.name = …` has several. */
  readonly lastKey: number;
  readonly part: PlacedPart;
};

/** A part of a list, from its dash where it has one. */
export type PartItem = { readonly start: number; readonly part: PlacedPart };

const leaf = { value: "", members: [], items: [], isBlock: false, isShared: false };

/** A part of that kind, with the members of `more`. */
export function makePart(
  kind: PlacedPart["kind"],
  [start, end]: readonly [start: number, end: number],
  more: Partial<PlacedPart> = {},
): PlacedPart {
  return { ...leaf, kind, start, end, ...more };
}

/** A text and the part that it is as a whole. */
export type ParsedParts = { readonly text: string; readonly root: PlacedPart };

/**
 * Whether two texts mean the same: the same members in the same order, the same texts, and everything else written alike.
 * `ignored` are members of parts of the first one that need not be the same.
 */
export function isSameMeaning(
  one: ParsedParts,
  other: ParsedParts,
  ignored: ReadonlyMap<PlacedPart, ReadonlySet<string>>,
): boolean {
  const open: [PlacedPart, PlacedPart][] = [[one.root, other.root]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [first, second] = pair;
    if (first.kind !== second.kind || first.isShared !== second.isShared) return false;
    if (first.value !== second.value) return false;
    const isRaw = first.kind === "other" || first.isShared;
    if (isRaw && rawText(one, first) !== rawText(other, second)) return false;
    const names = ignored.get(first);
    const [members, others] = [keptMembers(first, names), keptMembers(second, names)];
    if (members.length !== others.length || first.items.length !== second.items.length)
      return false;
    for (const [at, { name, part }] of members.entries()) {
      const same = others[at];
      if (same?.name !== name) return false;
      open.push([part, same.part]);
    }
    for (const [at, { part }] of first.items.entries()) {
      const same = second.items[at];
      if (same) open.push([part, same.part]);
    }
  }
  return true;
}

function keptMembers(
  { members }: PlacedPart,
  names: ReadonlySet<string> | undefined,
): readonly PartMember[] {
  return names === undefined ? members : members.filter(({ name }) => !names.has(name));
}

function rawText({ text }: ParsedParts, { start, end }: PlacedPart): string {
  return text.slice(start, end);
}
