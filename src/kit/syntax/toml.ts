import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import {
  type SourceFault,
  makeSyntaxNode,
  type SyntaxNode,
  type SyntaxItem,
  type SyntaxMember,
} from "./part.ts";

// A table collects the members of all lines that add to it, wherever they are.
export function parseTomlTree(text: string): SyntaxNode | SourceFault {
  try {
    const [top] = parseTOML(text).body;
    const tables = new Tables();
    for (const node of top.body) {
      if (node.type === "TOMLKeyValue") {
        tables.add(tables.root, node);
        continue;
      }
      const table = tables.find(node);
      for (const line of node.body) tables.add(table, line);
    }
    return tables.root;
  } catch (error) {
    if (error instanceof ParseError) return { fault: "not valid TOML", offset: error.index };
    const isTooDeep = error instanceof RangeError;
    return { fault: isTooDeep ? "it is nested too deeply" : "not valid TOML", offset: 0 };
  }
}

type OpenTable = SyntaxNode & { readonly members: SyntaxMember[]; readonly items: SyntaxItem[] };

type NameRange = [start: number, end: number];

type InnerTable = { readonly table: OpenTable; readonly names: NameRange[] };

class Tables {
  readonly root = makeTable("map");
  readonly #inner = new Map<OpenTable, Map<string | number, InnerTable>>();

  find({ key, resolvedKey: keys }: AST.TOMLTable): OpenTable {
    const ranges = key.keys.map(({ range }) => range);
    let found = this.root;
    for (const [at, name] of keys.entries()) {
      const range = typeof name === "string" ? ranges.shift() : undefined;
      found = this.#openChild(found, name, { next: keys[at + 1], range });
    }
    return found;
  }

  add(table: OpenTable, { key, value }: AST.TOMLKeyValue): void {
    const holder = key.keys
      .slice(0, -1)
      .reduce(
        (parent, keyPart) => this.#openChild(parent, readName(keyPart), { range: keyPart.range }),
        table,
      );
    holder.members.push(makeMember(key, toSyntaxNode(value)));
  }

  #openChild(
    table: OpenTable,
    key: string | number,
    {
      next,
      range,
    }: { readonly next?: string | number | undefined; readonly range: NameRange | undefined },
  ): OpenTable {
    const inner = this.#inner.get(table) ?? new Map<string | number, InnerTable>();
    this.#inner.set(table, inner);
    const known = inner.get(key);
    if (range) known?.names.push(range);
    if (known) return known.table;
    const created = makeTable(typeof next === "number" ? "list" : "map");
    const names = range ? [range] : [];
    inner.set(key, { table: created, names });
    if (typeof key === "number") table.items.push({ start: 0, part: created });
    else table.members.push({ name: key, start: 0, lastKey: 0, names, part: created });
    return created;
  }
}

function makeTable(kind: "map" | "list"): OpenTable {
  return { ...makeSyntaxNode(kind, [0, 0], { isBlock: true }), members: [], items: [] };
}

function makeMember(key: AST.TOMLKey, child: SyntaxNode): SyntaxMember {
  const last = key.keys.at(-1);
  return {
    name: last === undefined ? "" : readName(last),
    start: key.range[0],
    lastKey: last?.range[0] ?? key.range[0],
    names: last === undefined ? [] : [last.range],
    part: child,
  };
}

function readName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function toSyntaxNode(node: AST.TOMLContentNode): SyntaxNode {
  if (node.type === "TOMLArray") {
    const items = node.elements.map((item) => ({ start: item.range[0], part: toSyntaxNode(item) }));
    return makeSyntaxNode("list", node.range, { items });
  }
  if (node.type === "TOMLInlineTable") return toInlineTable(node);
  return node.kind === "string"
    ? makeSyntaxNode("text", node.range, { value: node.value })
    : makeSyntaxNode("other", node.range);
}

// `{ a.b = 1 }` keeps the dotted key: server entries are never written like that.
function toInlineTable({ range, body }: AST.TOMLInlineTable): SyntaxNode {
  const members = body.map(({ key, value }) => {
    const names = key.keys.map(readName);
    return { ...makeMember(key, toSyntaxNode(value)), name: names.join("\u0000") };
  });
  return makeSyntaxNode("map", range, { members });
}
