import { quote } from "./schema-words.ts";

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

export type TextPlace = { readonly line: number; readonly column: number };

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
