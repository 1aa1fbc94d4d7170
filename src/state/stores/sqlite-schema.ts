import type { Database } from "bun:sqlite";
import type { Amounts, Share } from "./change.ts";

/** Written into the file; another number is another layout. */
export const layout = 2;

const tables = {
  counters: `CREATE TABLE counters (
    key TEXT PRIMARY KEY, per TEXT NOT NULL, most INTEGER NOT NULL, window INTEGER NOT NULL,
    spent INTEGER NOT NULL, held INTEGER NOT NULL, touched_ms INTEGER NOT NULL
  ) WITHOUT ROWID`,
  shares: `CREATE TABLE shares (
    key TEXT NOT NULL, holder TEXT NOT NULL, window INTEGER NOT NULL, held INTEGER NOT NULL,
    pledged INTEGER NOT NULL, PRIMARY KEY (key, holder)
  ) WITHOUT ROWID`,
  holders: `CREATE TABLE holders (
    holder TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, space TEXT NOT NULL,
    ends_ms INTEGER NOT NULL
  ) WITHOUT ROWID`,
  servers: `CREATE TABLE servers (
    owner TEXT PRIMARY KEY, name TEXT NOT NULL, touched_ms INTEGER NOT NULL
  ) WITHOUT ROWID`,
};

export const schema = `${Object.values(tables).join(";")}; PRAGMA user_version = ${layout}`;

const damaged = "its content is damaged";

/** False for a new file. Throws for any other tables: a view or a trigger may run without end in a query. */
export function hasTables(database: Database): boolean {
  const found = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
  const version = found?.user_version ?? 0;
  if (version === 0) return false;
  if (version !== layout) throw new Error("another version of mcp-meter has written it");
  if (textsIn(database).join() !== Object.values(tables).map(oneLine).join())
    throw new Error(damaged);
  return true;
}

/** Also in a file whose other tables are of another version. */
export function hasCounters(database: Database): boolean {
  return textsIn(database).includes(oneLine(tables.counters));
}

function textsIn(database: Database): readonly string[] {
  const rows = database.query<{ sql: string | null }, []>("SELECT sql FROM sqlite_schema").all();
  return rows.map(({ sql }) => oneLine(sql ?? ""));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

type Numbers = Partial<Amounts & Share>;

/** The same row. Throws when another program has written something else than amounts into it. */
export function sound<Row extends Numbers>(row: Row): Row {
  if (!isSound(row)) throw new Error(damaged);
  return row;
}

export function isSound({ window = 0, spent = 0, held = 0, pledged = 0 }: Numbers): boolean {
  return [window, spent, held, pledged].every((one) => Number.isSafeInteger(one) && one >= 0);
}
