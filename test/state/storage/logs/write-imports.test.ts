import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import type { ImportedRecord } from "#records/record.ts";
import { packBytes, unpackText } from "#state/storage/compressed-files.ts";
import {
  hasRecords,
  isUnfinished,
  packRecords,
  writeImports,
  writeMarked,
} from "#state/storage/logs/write-imports.ts";
import { Folder } from "../../../support/folder.ts";

const record: ImportedRecord = {
  type: "conversation",
  schema_version: "1.1",
  ts: "2026-03-14T12:00:00.000Z",
  session_id: "a",
  seq: 0,
  conversation_id: "a",
  client: "codex",
  client_version: null,
  parent: null,
  kind: "main",
  project: null,
  is_approximate: false,
};

const noon = Date.UTC(2026, 2, 14, 12);
const conversation = packRecords({ id: "a", lastMs: noon, records: [record] });

const formatLines = (...records: readonly object[]): string =>
  records.map((line) => `${JSON.stringify(line)}\n`).join("");

const readPacked = (path: string): string => unpackText(readFileSync(path));

test("each conversation has a file for the user alone, as old as its newest event", () => {
  using folder = new Folder();
  const imports = folder.at("imports");
  expect(writeImports(imports, "codex", [conversation])).toEqual({
    written: 1,
    failed: 0,
    fault: undefined,
  });
  const path = `${imports}/codex/a.ndjson.zst`;
  expect(readPacked(path)).toBe(formatLines(record));
  const { mode, mtimeMs } = statSync(path);
  expect([mode & 0o777, mtimeMs]).toEqual([0o600, noon]);
  expect(statSync(`${imports}/codex`).mode & 0o777).toBe(0o700);
});

test("a file of the same content is left alone, one of other content is replaced", () => {
  using folder = new Folder();
  const imports = folder.at("imports");
  writeImports(imports, "codex", [conversation]);
  expect(writeImports(imports, "codex", [conversation]).written).toBe(0);
  writeFileSync(`${imports}/codex/a.ndjson.zst`, "torn");
  expect(writeImports(imports, "codex", [conversation]).written).toBe(1);
  expect(readPacked(`${imports}/codex/a.ndjson.zst`)).toBe(formatLines(record));
});

test("a folder that cannot be made is a fault", () => {
  using folder = new Folder();
  const file = folder.file("imports", "");
  expect(writeImports(file, "codex", [conversation])).toEqual({
    written: 0,
    failed: 1,
    fault: expect.stringMatching(/^E/),
  });
});

test("a file that cannot be written stops no other, and an older copy replaces nothing", () => {
  using folder = new Folder();
  const imports = folder.at("imports");
  mkdirSync(`${imports}/codex/a.ndjson.zst`, { recursive: true });
  const second = { ...conversation, id: "b" };
  const outcome = writeImports(imports, "codex", [conversation, second]);
  expect(outcome).toEqual({ written: 1, failed: 1, fault: "EISDIR" });
  const call = { ...record, ts: "2026-03-14T13:00:00.000Z", call_id_sha256: "x" };
  const newer = formatLines(record, call);
  writeFileSync(`${imports}/codex/b.ndjson.zst`, packBytes(Buffer.from(newer)));
  expect(writeImports(imports, "codex", [second])).toMatchObject({ written: 0, failed: 0 });
  expect(readPacked(`${imports}/codex/b.ndjson.zst`)).toBe(newer);
});

const kill = () => {
  throw new Error("killed");
};

test("a folder is unfinished while records are written to it, and after a write that was killed", () => {
  using folder = new Folder();
  const imports = folder.at("imports");
  expect(isUnfinished(imports)).toBe(false);
  const result = writeMarked(imports, () => {
    expect(isUnfinished(imports)).toBe(true);
    return writeImports(imports, "codex", [conversation]).written;
  });
  expect([result, isUnfinished(imports)]).toEqual([1, false]);
  expect(() => writeMarked(imports, kill)).toThrow("killed");
  expect(isUnfinished(imports)).toBe(true);
  writeMarked(imports, () => undefined);
  expect(isUnfinished(imports)).toBe(false);
});

test("records that an earlier import wrote are known by their size, and are not written again", () => {
  using folder = new Folder();
  const imports = folder.at("imports");
  expect(hasRecords(imports, "codex", conversation)).toBe(false);
  writeImports(imports, "codex", [conversation]);
  expect(hasRecords(imports, "codex", conversation)).toBe(true);
  const { packed: _packed, ...known } = conversation;
  expect(writeImports(imports, "codex", [known]).written).toBe(0);
  writeFileSync(`${imports}/codex/a.ndjson.zst`, "torn");
  expect(hasRecords(imports, "codex", conversation)).toBe(false);
});

test("lines of any length are written as they are", () => {
  using folder = new Folder();
  const long = { ...record, client: "ü👩‍🚀".repeat(400_000) };
  const packed = packRecords({ id: "a", lastMs: noon, records: [record, long, record] });
  writeImports(folder.path, "codex", [packed]);
  expect(readPacked(folder.at("codex/a.ndjson.zst"))).toBe(formatLines(record, long, record));
});

test("files that a killed import had not renamed are removed by the next one, once they are old", () => {
  using folder = new Folder();
  const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
  mkdirSync(folder.at("imports/codex"), { recursive: true });
  const fresh = folder.file(`imports/codex/a.ndjson.zst.${id}`, "");
  const old = folder.file(`imports/codex/a.ndjson.zst.${other}`, "");
  utimesSync(old, 0, 0);
  writeMarked(folder.at("imports"), () => {});
  expect([fresh, old].map((file) => existsSync(file))).toEqual([true, true]);
  folder.file("imports/unfinished", "");
  writeMarked(folder.at("imports"), () => {});
  expect([fresh, old].map((file) => existsSync(file))).toEqual([true, false]);
});
