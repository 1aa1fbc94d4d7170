import { quote } from "./schema-words.ts";

/** A part of a parsed text, with its place. A value that refers to another part is that part: a tree may have cycles. */
export type SourceNode = {
  /** Index of its first character. */
  readonly offset: number;
  /** Members of an object, in the order of the text; empty for everything else. */
  readonly members: readonly SourceMember[];
  /** Items of a list; empty for everything else. */
  readonly items: readonly SourceNode[];
};

/** A named part of an object. */
export type SourceMember = {
  readonly name: string;
  /** Index of the first character of the name. */
  readonly offset: number;
  readonly node: SourceNode;
};

/** A mistake in a text. */
export type SourceFault = {
  /** A clause without a period. */
  readonly fault: string;
  /** Index of the character at which it is reported. */
  readonly offset: number;
};

/** A text as a value, and as the parts that it is made of. */
export type ParsedSource = { readonly value: unknown; readonly tree: SourceNode };

/** The names of members and the indexes of items that lead to a part, as a JSON pointer has them. */
export type SourcePath = readonly string[];

/** A name that one object has twice; undefined when all are unique. */
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

/**
 * Index of the part at `path`: of its name when `part` is "name", else of its value. Of a part that is not there, the
 * nearest one around it.
 */
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

/** A place in a text: line and column, both from 1; the column in UTF-16 units. */
export type TextPlace = { readonly line: number; readonly column: number };

/** A function that gives the place of the character at an index. */
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
