import { Database } from "bun:sqlite";
import {
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { findOwnershipFault, makeDisposableFile, readErrorCode } from "#kit/os/file-errors.ts";
import { nameFileKind } from "#kit/os/open-file.ts";
import type { Amounts } from "../apply-change.ts";
import { countersFile } from "../store.ts";
import { checkSound, hasTables, layout } from "./sqlite-tables.ts";
import { storeBusyMaxMs } from "./lock-waits.ts";

// O_NONBLOCK, because opening a device may wait. Files ignore the flag.
const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// Bytes 18 and 19 are the format's write and read version: 1 means a rollback journal.
const signature = "SQLite format 3\0";
const versionsAt = 18;
const rollbackVersion = 1;

// Checks the file before SQLite opens it: SQLite would wait on a FIFO, follow links and map a `-shm` file.
// The constructor and `check` may throw a system error, or an Error with a message such as `its content is damaged`.
export class SqliteFile {
  readonly path: string;
  readonly #inode: string;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const folder = realpathSync(dirname(path));
    const fault = findOwnershipFault(folder, false);
    if (fault !== undefined) throw new Error(fault);
    this.path = join(folder, basename(path));
    this.#inode = ensureDatabaseFile(this.path);
    this.check();
  }

  check(): void {
    const stats = readStats(this.path);
    if (!stats || formatInode(stats) !== this.#inode) throw new Error("it was removed or replaced");
    const journal = readStats(`${this.path}-journal`);
    if (journal && !journal.isFile()) throw new Error("its journal is not a regular file");
    // We never create a WAL file, but SQLite would trust one and map its index.
    if (readStats(`${this.path}-wal`)) rmSync(`${this.path}-wal`, { force: true });
  }
}

function ensureDatabaseFile(path: string): string {
  const before = readStats(path);
  // Opening a device may have side effects.
  if (before && !before.isFile()) throw makeKindError(before);
  using file = makeDisposableFile(openSync(path, flags, 0o600));
  const stats = fstatSync(file.fd);
  if (!stats.isFile()) throw makeKindError(stats);
  if (stats.size > 0) checkHeader(file.fd);
  return formatInode(stats);
}

function checkHeader(fd: number): void {
  const header = Buffer.alloc(versionsAt + 2);
  readSync(fd, header, 0, header.length, 0);
  const isDatabase =
    header.toString("latin1", 0, signature.length) === signature &&
    header[versionsAt] === rollbackVersion &&
    header[versionsAt + 1] === rollbackVersion;
  if (!isDatabase) throw new Error("its content is damaged");
}

function makeKindError(stats: Stats): Error {
  return new Error(`it is a ${nameFileKind(stats)}, not a regular file`);
}

function formatInode({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}

function readStats(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

export type StoreState =
  | { readonly kind: "absent" }
  | { readonly kind: "usable"; readonly counters: number; readonly layout: number }
  | { readonly kind: "busy" }
  | { readonly kind: "unusable"; readonly fault: string };

// Opens the file as a meter does, so an existing WAL file is removed. No counter changes.
export function examineStore(folder: string): StoreState {
  const path = join(folder, countersFile);
  if (!existsSync(path)) return { kind: "absent" };
  try {
    return examine(new SqliteFile(path).path);
  } catch (error) {
    const fault = readErrorCode(error);
    return fault.startsWith("SQLITE_BUSY") ? { kind: "busy" } : { kind: "unusable", fault };
  }
}

function examine(path: string): StoreState {
  using database = new Database(path, { readwrite: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${storeBusyMaxMs}`);
  // Fails if another process holds the write lock.
  database.run("BEGIN IMMEDIATE");
  database.run("ROLLBACK");
  if (!hasTables(database)) return { kind: "usable", counters: 0, layout };
  const rows = database.query<Amounts, []>("SELECT window, spent, held FROM counters");
  let counters = 0;
  for (const row of rows.iterate()) {
    checkSound(row);
    counters += 1;
  }
  return { kind: "usable", counters, layout };
}
