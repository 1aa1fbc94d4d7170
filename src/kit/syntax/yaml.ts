import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type ScalarTag,
  visit,
  type YAMLSeq,
} from "yaml";
import { describeNumberChange } from "../text/numbers.ts";
import {
  type ParsedSource,
  type SourceFault,
  type SourceMember,
  type SourceNode,
  makeSyntaxNode,
  type SyntaxNode,
  type SyntaxMember,
} from "./syntax-tree.ts";

// `uniqueKeys` is off, because the library would check the keys in quadratic time.
const options = { merge: true, prettyErrors: false, stringKeys: true, uniqueKeys: false };

/** Returns a fault if a number would change when sent as JSON. Through aliases, the parsed value may contain itself. */
export function parseYaml(text: string): ParsedSource | SourceFault {
  const document = parseDocument(text, options);
  const [first] = document.errors;
  if (first) return { fault: describeFault(first), offset: first.pos[0] };
  try {
    const fault = findNodeFault(document);
    if (fault) return fault;
    return { value: document.toJS({ maxAliasCount: -1 }), tree: toSourceTree(document) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof RangeError ? nestedTooDeeply : notValid(error.message);
    return { fault: reason, offset: 0 };
  }
}

function findNodeFault(document: Document.Parsed): SourceFault | undefined {
  let found: SourceFault | undefined;
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node) {
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor);
      const fault = describeNodeFault(node, anchors);
      if (fault === undefined) return undefined;
      found = { fault, offset: node.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

function describeNodeFault(node: Node, anchors: ReadonlySet<string>): string | undefined {
  if (isAlias(node) && !anchors.has(node.source))
    return notValid(`the alias "${node.source}" has no anchor before it`);
  if (!isScalar(node) || typeof node.value !== "number") return undefined;
  return describeNumberChange(node.source ?? String(node.value), node.value);
}

const notValid = (reason: string): string => `not valid YAML: ${reason}`;

const nestedTooDeeply = "nested too deeply";

function describeFault({ code, message }: Document.Parsed["errors"][number]): string {
  if (code === "RESOURCE_EXHAUSTION") return nestedTooDeeply;
  if (code === "MULTIPLE_DOCS") return "it has more than one YAML document";
  return notValid(message);
}

function toSourceTree(document: Document.Parsed): SourceNode {
  const known = new Map<Node, SourceNode>();
  const convert: Convert = (node, parentOffset) => {
    const target = isAlias(node) ? node.resolve(document) : node;
    const start = findStart(target, parentOffset);
    if (!target) return { start, members: [], items: [] };
    const before = known.get(target);
    if (before) return before;
    const members: SourceMember[] = [];
    const items: { readonly node: SourceNode }[] = [];
    const converted = { start, members, items };
    known.set(target, converted);
    if (isSeq<Node>(target))
      items.push(...target.items.map((item) => ({ node: convert(item, start) })));
    if (isMap<Node, Node>(target)) {
      members.push(...target.items.map((pair) => toSourceMember(pair, start, convert)));
    }
    return converted;
  };
  return convert(document.contents, 0);
}

type Convert = (node: Node | null | undefined, parentOffset: number) => SourceNode;

function toSourceMember(
  { key, value }: Pair<Node, Node>,
  parentOffset: number,
  convert: Convert,
): SourceMember {
  const start = findStart(key, parentOffset);
  const name = isScalar(key) ? String(key.value) : "";
  return { name, start, node: convert(value, start) };
}

function findStart(node: Node | null | undefined, parentOffset: number): number {
  return node?.range?.[0] ?? parentOffset;
}

export function parseYamlTree(text: string): SyntaxNode | SourceFault {
  const document = parseDocument(text, { ...options, keepSourceTokens: true });
  const [first] = document.errors;
  if (first) return { fault: describeFault(first), offset: first.pos[0] };
  try {
    return toSyntaxNode(document.contents, 0);
  } catch {
    return { fault: nestedTooDeeply, offset: 0 };
  }
}

function toSyntaxNode(node: Node | null | undefined, parentOffset: number): SyntaxNode {
  const [start, end] = node?.range ?? [parentOffset, parentOffset];
  if (!node || isAlias(node))
    return makeSyntaxNode("other", [start, end], { hasSpecialSyntax: isAlias(node) });
  const hasSpecialSyntax = node.anchor !== undefined || node.tag !== undefined;
  if (isMap<Node, Node>(node)) {
    const members = node.items.map((pair) => toSyntaxMember(pair, start));
    return makeSyntaxNode("map", [start, end], {
      members,
      hasSpecialSyntax,
      isBlock: node.flow !== true,
    });
  }
  if (isSeq<Node>(node)) return toSyntaxList(node, hasSpecialSyntax);
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value !== "string") return makeSyntaxNode("other", [start, end], { hasSpecialSyntax });
  return makeSyntaxNode("text", [start, end], { value, hasSpecialSyntax });
}

function toSyntaxMember({ key, value }: Pair<Node, Node>, parentOffset: number): SyntaxMember {
  const start = findStart(key, parentOffset);
  const name = isScalar(key) ? String(key.value) : "";
  const node = toSyntaxNode(value, start);
  const hasSpecialKey = !isScalar(key) || key.anchor !== undefined || key.tag !== undefined;
  const nameRanges = [[start, key.range?.[1] ?? start] as const];
  const child = hasSpecialKey ? { ...node, hasSpecialSyntax: true } : node;
  return { name, start, lastKeyStart: start, nameRanges, node: child };
}

function toSyntaxList(node: YAMLSeq<Node>, hasSpecialSyntax: boolean): SyntaxNode {
  const [start, end] = node.range ?? [0, 0];
  const source = node.srcToken;
  const isBlock = source?.type === "block-seq";
  const items = node.items.map((item, at) => {
    const dash = isBlock
      ? source.items[at]?.start.find(({ type }) => type === "seq-item-ind")
      : undefined;
    return { start: dash?.offset ?? item.range?.[0] ?? start, node: toSyntaxNode(item, start) };
  });
  return makeSyntaxNode("list", [start, end], { items, hasSpecialSyntax, isBlock });
}

// A symbol stands for a number that JavaScript would change. Its description has the digits to write.
const writtenNumber: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => typeof value === "symbol",
  resolve: (text) => text,
  stringify: ({ value }) => (typeof value === "symbol" ? (value.description ?? "") : ""),
};

export function writeYaml(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: [writtenNumber],
  });
  visit(document, {
    Pair(_, { key }) {
      // Unquoted, `<<` would merge its value.
      if (isScalar(key) && key.value === "<<") key.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
