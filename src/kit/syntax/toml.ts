import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import {
  type SourceFault,
  makePart,
  type PlacedPart,
  type PartItem,
  type PartMember,
} from "./part.ts";

/** A table has the members of all lines that add to it, wherever they are. */
export function partsOfToml(text: string): PlacedPart | SourceFault {
  try {
    const [top] = parseTOML(text).body;
    const tables = new Tables();
    for (const node of top.body) {
      if (node.type === "TOMLKeyValue") {
        tables.add(tables.root, node);
        continue;
      }
      // A table without a line is one too.
      const table = tables.at(node);
      for (const line of node.body) tables.add(table, line);
    }
    return tables.root;
  } catch (error) {
    if (error instanceof ParseError) return { fault: "not valid TOML", offset: error.index };
    const isTooDeep = error instanceof RangeError;
    return { fault: isTooDeep ? "it is nested too deeply" : "not valid TOML", offset: 0 };
  }
}

type OpenTable = PlacedPart & { readonly members: PartMember[]; readonly items: PartItem[] };

type NamePlace = [start: number, end: number];

type InnerTable = { readonly table: OpenTable; readonly names: NamePlace[] };

class Tables {
  readonly root = openTable("map");
  readonly #inner = new Map<OpenTable, Map<string | number, InnerTable>>();

  at({ key, resolvedKey: keys }: AST.TOMLTable): OpenTable {
    const places = key.keys.map(({ range }) => range);
    let found = this.root;
    for (const [at, name] of keys.entries()) {
      // An index of a list has no key.
      const place = typeof name === "string" ? places.shift() : undefined;
      found = this.#child(found, name, { next: keys[at + 1], place });
    }
    return found;
  }

  add(table: OpenTable, { key, value }: AST.TOMLKeyValue): void {
    const holder = key.keys
      .slice(0, -1)
      .reduce((one, part) => this.#child(one, nameOf(part), { place: part.range }), table);
    holder.members.push(member(key, partFrom(value)));
  }

  #child(
    table: OpenTable,
    key: string | number,
    {
      next,
      place,
    }: { readonly next?: string | number | undefined; readonly place: NamePlace | undefined },
  ): OpenTable {
    const inner = this.#inner.get(table) ?? new Map<string | number, InnerTable>();
    this.#inner.set(table, inner);
    const known = inner.get(key);
    if (place) known?.names.push(place);
    if (known) return known.table;
    const made = openTable(typeof next === "number" ? "list" : "map");
    const names = place ? [place] : [];
    inner.set(key, { table: made, names });
    if (typeof key === "number") table.items.push({ start: 0, part: made });
    else table.members.push({ name: key, start: 0, lastKey: 0, names, part: made });
    return made;
  }
}

function openTable(kind: "map" | "list"): OpenTable {
  return { ...makePart(kind, [0, 0], { isBlock: true }), members: [], items: [] };
}

function member(key: AST.TOMLKey, part: PlacedPart): PartMember {
  const last = key.keys.at(-1);
  return {
    name: last === undefined ? "" : nameOf(last),
    start: key.range[0],
    lastKey: last?.range[0] ?? key.range[0],
    names: last === undefined ? [] : [last.range],
    part,
  };
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function partFrom(node: AST.TOMLContentNode): PlacedPart {
  if (node.type === "TOMLArray") {
    const items = node.elements.map((one) => ({ start: one.range[0], part: partFrom(one) }));
    return makePart("list", node.range, { items });
  }
  if (node.type === "TOMLInlineTable") return inlineTable(node);
  return node.kind === "string"
    ? makePart("text", node.range, { value: node.value })
    : makePart("other", node.range);
}

/** `{ a.b = 1 }` keeps the key as written: an entry is never in such a table. */
function inlineTable({ range, body }: AST.TOMLInlineTable): PlacedPart {
  const members = body.map(({ key, value }) => {
    const names = key.keys.map(nameOf);
    return { ...member(key, partFrom(value)), name: names.join("\u0000") };
  });
  return makePart("map", range, { members });
}
