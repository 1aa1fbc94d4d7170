/** Offsets count UTF-16 units. */
export type PlacedPart = {
  readonly kind: "map" | "list" | "text" | "other";
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly members: readonly PartMember[];
  readonly items: readonly PartItem[];
  /** Without brackets: a block of YAML, a table of TOML. */
  readonly isBlock: boolean;
  /** An anchor, an alias or a tag of YAML: its meaning depends on more than its text. */
  readonly isShared: boolean;
};

export type PartMember = {
  readonly name: string;
  readonly start: number;
  readonly lastKey: number;
  /** A table of TOML may have several places, one in each header and each dotted key. */
  readonly names: readonly (readonly [start: number, end: number])[];
  readonly part: PlacedPart;
};

export type PartItem = { readonly start: number; readonly part: PlacedPart };

const leaf = { value: "", members: [], items: [], isBlock: false, isShared: false };

export function makePart(
  kind: PlacedPart["kind"],
  [start, end]: readonly [start: number, end: number],
  more: Partial<PlacedPart> = {},
): PlacedPart {
  return { ...leaf, kind, start, end, ...more };
}

export type ParsedParts = { readonly text: string; readonly root: PlacedPart };

/** The same members in the same order, the same texts, and everything else written alike. `ignored` members of the first text may differ. */
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

type Pair = readonly [PlacedPart, PlacedPart];

function isAlike(one: PlacedPart, other: PlacedPart): boolean {
  return one.kind === other.kind && one.isShared === other.isShared && one.value === other.value;
}

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
