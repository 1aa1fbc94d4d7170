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
  /** Each place of its name: a table of TOML may have several, one in each header and each dotted key. */
  readonly names: readonly (readonly [start: number, end: number])[];
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
  const open: Pair[] = [[one.root, other.root]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [first, second] = pair;
    const isRaw = first.kind === "other" || first.isShared;
    if (!isAlike(first, second)) return false;
    if (isRaw && rawText(one, first) !== rawText(other, second)) return false;
    const inner = innerPairs(first, second, ignored.get(first));
    if (inner === undefined) return false;
    for (const next of inner) open.push(next);
  }
  return true;
}

/** Two parts that have to be the same. */
type Pair = readonly [PlacedPart, PlacedPart];

function isAlike(one: PlacedPart, other: PlacedPart): boolean {
  return one.kind === other.kind && one.isShared === other.isShared && one.value === other.value;
}

/** The parts in two parts, side by side; undefined when their numbers or names differ. */
function innerPairs(
  one: PlacedPart,
  other: PlacedPart,
  ignored: ReadonlySet<string> | undefined,
): readonly Pair[] | undefined {
  const [members, others] = [keptMembers(one, ignored), keptMembers(other, ignored)];
  const isSameSize = members.length === others.length && one.items.length === other.items.length;
  if (!isSameSize || members.some(({ name }, at) => others[at]?.name !== name)) return undefined;
  const parts = [...others, ...other.items];
  return [...members, ...one.items].flatMap(({ part }, at) => {
    const same = parts[at];
    return same ? [[part, same.part] as const] : [];
  });
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
