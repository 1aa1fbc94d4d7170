import { quote } from "../text/validation.ts";

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

/** A value that refers to another part is that part: a tree may have cycles. */
export type SourceNode = {
  readonly offset: number;
  readonly members: readonly SourceMember[];
  readonly items: readonly SourceNode[];
};

export type SourceMember = {
  readonly name: string;
  readonly offset: number;
  readonly node: SourceNode;
};

export type SourceFault = {
  readonly fault: string;
  readonly offset: number;
};

export type ParsedSource = { readonly value: unknown; readonly tree: SourceNode };

export type SourcePath = readonly string[];

export function findDuplicate(root: SourceNode): SourceFault | undefined {
  const visited = new Set<SourceNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (visited.has(node)) continue;
    visited.add(node);
    const names = new Set<string>();
    for (const { name, offset } of node.members) {
      if (names.has(name)) return { fault: `property ${quote(name)} is defined twice`, offset };
      names.add(name);
    }
    open.push(...node.items.toReversed(), ...node.members.map(({ node: one }) => one).toReversed());
  }
  return undefined;
}

/** Of the name when `part` is "name", else of the value. For a missing part, the nearest one around it. */
export function offsetAt(root: SourceNode, path: SourcePath, part: "name" | "value"): number {
  let node = root;
  let nameOffset = root.offset;
  for (const step of path) {
    const member = node.members.find(({ name }) => name === step);
    const next = member?.node ?? node.items[Number(step)];
    if (next === undefined) return node.offset;
    node = next;
    nameOffset = member?.offset ?? next.offset;
  }
  return part === "name" ? nameOffset : node.offset;
}

type TextPlace = { readonly line: number; readonly column: number };

export function placesIn(text: string): (offset: number) => TextPlace {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [first, last] = [0, starts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((starts[middle] ?? 0) <= offset) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, column: offset - (starts[first] ?? 0) + 1 };
  };
}
