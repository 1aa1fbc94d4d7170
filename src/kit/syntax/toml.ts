import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import {
  type SourceFault,
  makeSyntaxNode,
  type SyntaxNode,
  type SyntaxItem,
  type SyntaxMember,
} from "./syntax-tree.ts";

export function parseTomlTree(text: string): SyntaxNode | SourceFault {
  try {
    const [top] = parseTOML(text).body;
    const tables = new Tables();
    for (const node of top.body) {
      const isTable = node.type === "TOMLTable";
      const table = isTable ? tables.open(node) : tables.root;
      for (const line of isTable ? node.body : [node]) tables.add(table, line);
    }
    return tables.root;
  } catch (error) {
    if (error instanceof ParseError) return { fault: "not valid TOML", offset: error.index };
    if (error instanceof RangeError) return { fault: "nested too deeply", offset: 0 };
    throw error;
  }
}

type OpenTable = SyntaxNode & { readonly members: SyntaxMember[]; readonly items: SyntaxItem[] };

type NameRange = [start: number, end: number];

type InnerTable = { readonly table: OpenTable; readonly nameRanges: NameRange[] };

class Tables {
  readonly root = makeTable("map");
  readonly #inner = new Map<OpenTable, Map<string | number, InnerTable>>();

  open({ key, resolvedKey: keys }: AST.TOMLTable): OpenTable {
    const ranges = key.keys.map(({ range }) => range);
    let table = this.root;
    for (const [at, name] of keys.entries()) {
      const range = typeof name === "string" ? ranges.shift() : undefined;
      table = this.#openChild(table, name, { nextKey: keys[at + 1], range });
    }
    return table;
  }

  add(table: OpenTable, { key, value }: AST.TOMLKeyValue): void {
    let holder = table;
    for (const name of key.keys.slice(0, -1))
      holder = this.#openChild(holder, readName(name), { range: name.range });
    holder.members.push(makeMember(key, toSyntaxNode(value)));
  }

  #openChild(
    table: OpenTable,
    key: string | number,
    {
      nextKey,
      range,
    }: { readonly nextKey?: string | number | undefined; readonly range: NameRange | undefined },
  ): OpenTable {
    const inner = this.#inner.get(table) ?? new Map<string | number, InnerTable>();
    this.#inner.set(table, inner);
    const known = inner.get(key);
    if (range) known?.nameRanges.push(range);
    if (known) return known.table;
    // In a path of keys, an index follows the name of a list.
    const created = makeTable(typeof nextKey === "number" ? "list" : "map");
    const nameRanges = range ? [range] : [];
    inner.set(key, { table: created, nameRanges });
    if (typeof key === "number") table.items.push({ start: 0, node: created });
    else table.members.push({ name: key, start: 0, lastKeyStart: 0, nameRanges, node: created });
    return created;
  }
}

// A table may be scattered across the file, so it has no position.
function makeTable(kind: "map" | "list"): OpenTable {
  return { ...makeSyntaxNode(kind, [0, 0], { isBlock: true }), members: [], items: [] };
}

function makeMember(key: AST.TOMLKey, child: SyntaxNode): SyntaxMember {
  const last = key.keys.at(-1);
  return {
    name: last === undefined ? "" : readName(last),
    start: key.range[0],
    lastKeyStart: last?.range[0] ?? key.range[0],
    nameRanges: last === undefined ? [] : [last.range],
    node: child,
  };
}

function readName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function toSyntaxNode(node: AST.TOMLContentNode): SyntaxNode {
  if (node.type === "TOMLArray") {
    const items = node.elements.map((item) => ({ start: item.range[0], node: toSyntaxNode(item) }));
    return makeSyntaxNode("list", node.range, { items });
  }
  if (node.type === "TOMLInlineTable") return toInlineTable(node);
  return node.kind === "string"
    ? makeSyntaxNode("text", node.range, { value: node.value })
    : makeSyntaxNode("other", node.range);
}

// The dotted key in `{ a.b = 1 }` becomes one name that no search finds. No client writes its settings like that.
function toInlineTable({ range, body }: AST.TOMLInlineTable): SyntaxNode {
  const members = body.map(({ key, value }) => {
    const names = key.keys.map(readName);
    return { ...makeMember(key, toSyntaxNode(value)), name: names.join("\u0000") };
  });
  return makeSyntaxNode("map", range, { members });
}
