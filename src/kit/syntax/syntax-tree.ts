import { findLargest } from "../text/numbers.ts";
import { quote } from "../text/schema-mismatch.ts";

// For edits of a text: where each node starts and ends, in UTF-16 code units.
export type SyntaxNode = {
  readonly kind: "map" | "list" | "text" | "other";
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly members: readonly SyntaxMember[];
  readonly items: readonly SyntaxItem[];
  readonly isBlock: boolean; // without brackets: a YAML block or a TOML table
  // The node or its key has a YAML anchor, alias or tag, or its key is not a scalar. Edits must not copy or replace the
  // text from `start` to `end`, which can lack the anchor or tag.
  readonly hasSpecialSyntax: boolean;
};

export type SyntaxMember = {
  readonly name: string;
  readonly start: number;
  readonly lastKeyStart: number; // of `c` in the dotted key `a.b.c`
  // A TOML table has a range for each header and dotted key that names it.
  readonly nameRanges: readonly (readonly [start: number, end: number])[];
  readonly node: SyntaxNode;
};

export type SyntaxItem = { readonly start: number; readonly node: SyntaxNode };

const leaf = { value: "", members: [], items: [], isBlock: false, hasSpecialSyntax: false };

export function makeSyntaxNode(
  kind: SyntaxNode["kind"],
  [start, end]: readonly [start: number, end: number],
  properties: Partial<SyntaxNode> = {},
): SyntaxNode {
  return { ...leaf, kind, start, end, ...properties };
}

export type SyntaxTree = { readonly text: string; readonly root: SyntaxNode };

/** `ignored` maps nodes of `a` to the names of their members that may differ. */
export function isEquivalent(
  a: SyntaxTree,
  b: SyntaxTree,
  ignored: ReadonlyMap<SyntaxNode, ReadonlySet<string>>,
): boolean {
  const open: Pair[] = [[a.root, b.root]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [first, second] = pair;
    if (!isSameNode(first, second)) return false;
    const isRaw = first.kind === "other" || first.hasSpecialSyntax;
    if (isRaw && sliceText(a, first) !== sliceText(b, second)) return false;
    const children = pairChildren(first, second, ignored.get(first));
    if (children === undefined) return false;
    for (const child of children) open.push(child);
  }
  return true;
}

type Pair = readonly [SyntaxNode, SyntaxNode];

function isSameNode(a: SyntaxNode, b: SyntaxNode): boolean {
  return a.kind === b.kind && a.hasSpecialSyntax === b.hasSpecialSyntax && a.value === b.value;
}

function pairChildren(
  a: SyntaxNode,
  b: SyntaxNode,
  ignored: ReadonlySet<string> | undefined,
): readonly Pair[] | undefined {
  const [members, otherMembers] = [dropIgnored(a, ignored), dropIgnored(b, ignored)];
  const isSameSize = members.length === otherMembers.length && a.items.length === b.items.length;
  if (!isSameSize || members.some(({ name }, at) => otherMembers[at]?.name !== name))
    return undefined;
  const counterparts = [...otherMembers, ...b.items];
  return [...members, ...a.items].flatMap(({ node }, at) => {
    const counterpart = counterparts[at];
    return counterpart ? [[node, counterpart.node] as const] : [];
  });
}

function dropIgnored(
  { members }: SyntaxNode,
  names: ReadonlySet<string> | undefined,
): readonly SyntaxMember[] {
  return names === undefined ? members : members.filter(({ name }) => !names.has(name));
}

function sliceText({ text }: SyntaxTree, { start, end }: SyntaxNode): string {
  return text.slice(start, end);
}

// To locate faults in a text: where each name and value starts. A YAML alias becomes the node that it refers to,
// so cycles are possible.
export type SourceNode = {
  readonly start: number;
  readonly members: readonly SourceMember[];
  readonly items: readonly { readonly node: SourceNode }[];
};

export type SourceMember = Pick<SyntaxMember, "name" | "start"> & { readonly node: SourceNode };

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
    for (const { name, start } of node.members) {
      const fault = `property ${quote(name)} is defined twice`;
      if (names.has(name)) return { fault, offset: start };
      names.add(name);
    }
    const children = [...node.members, ...node.items].map((child) => child.node);
    open.push(...children.toReversed());
  }
  return undefined;
}

// If `path` does not exist, returns the start of the deepest node that exists on it.
export function findOffset(root: SourceNode, path: SourcePath, target: "name" | "value"): number {
  let node = root;
  let nameOffset = root.start;
  for (const step of path) {
    const member = node.members.find(({ name }) => name === step);
    const next = member?.node ?? node.items[Number(step)]?.node;
    if (next === undefined) return node.start;
    node = next;
    nameOffset = member?.start ?? next.start;
  }
  return target === "name" ? nameOffset : node.start;
}

type TextPosition = { readonly line: number; readonly column: number };

export function makePositionFinder(text: string): (offset: number) => TextPosition {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const line = findLargest(starts.length - 1, (at) => (starts[at] ?? 0) <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}
