import { expect, test } from "bun:test";
import { readWithImports } from "#commands/report/read-usage.ts";
import { callRecord } from "../../support/made-records.ts";
import { Folder } from "../../support/folder.ts";
import {
  call,
  conversation,
  noon,
  threeTurns,
} from "../../history/reports/imported/made-history.ts";

const readLines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

const id = "11111111-1111-5111-8111-111111111111";
const hash = "a".repeat(64);
const ids = { session_id: id, conversation_id: id };
const logged = call(0, { ...ids, call_id_sha256: hash, arguments_sha256: hash });
const history = [conversation, ...threeTurns].map((record) => ({ ...record, ...ids }));
const wire = callRecord({
  ts: new Date(noon + 400).toISOString(),
  call_id_sha256: hash,
  server: "other",
});

const none = { sources: [], leftOut: 0 };

function makeSources(files: readonly string[]) {
  return { sources: files.map((file) => ({ file, isNamed: true })), leftOut: 0 };
}

async function read(named: readonly string[], imports: readonly string[] = []) {
  let records = 0;
  const told: string[] = [];
  const found = await readWithImports(makeSources(named), {
    take: () => (records += 1),
    tell: (sentence) => void told.push(sentence),
    imports: imports.length === 0 ? none : makeSources(imports),
  });
  expect(told).toEqual([]);
  return { records, calls: [...found.history.listCalls()].length, pairs: found.matchedCalls.size };
}

test("calls are paired in any order of files, and each record is passed on once", async () => {
  using folder = new Folder();
  const session = folder.file("session.ndjson", readLines([wire]));
  const imported = folder.file("imported.ndjson", readLines([...history, logged]));
  const mixed = folder.file("mixed.ndjson", readLines([wire, ...history, logged]));
  const expected = { records: 1, calls: 1, pairs: 1 };
  expect(await read([session, imported])).toEqual(expected);
  expect(await read([imported, session])).toEqual(expected);
  expect(await read([mixed])).toEqual(expected);
  expect(await read([session], [imported])).toEqual(expected);
  expect(await read([session])).toEqual({ records: 1, calls: 0, pairs: 0 });
});
