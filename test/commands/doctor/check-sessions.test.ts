import { expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { packBytes } from "#state/storage/compressed-files.ts";
import {
  checkImports,
  checkSessions,
  examinedSessionsMax,
} from "#commands/doctor/check-sessions.ts";
import { Folder } from "../../support/folder.ts";
import { callRecord, endRecord, faultRecord } from "../../support/made-records.ts";
import { makeInstallation } from "./patient.ts";

const found = (folder: Folder) => checkSessions(makeInstallation({ XDG_STATE_HOME: folder.path }));

function session(folder: Folder, name: string, ...records: readonly (object | string)[]): string {
  const day = folder.at("mcp-meter", "sessions", "2026-09-01");
  mkdirSync(day, { recursive: true });
  const lines = records.map((record) =>
    typeof record === "string" ? record : `${JSON.stringify(record)}\n`,
  );
  return folder.file(`mcp-meter/sessions/2026-09-01/${name}.ndjson`, lines.join(""));
}

test("no sessions, and sessions without faults", async () => {
  using folder = new Folder();
  expect(await found(folder)).toMatchObject([{ status: "ok", detail: "none recorded yet" }]);
  session(folder, "1", callRecord(), endRecord());
  expect(await found(folder)).toMatchObject([
    { status: "ok", detail: "the last 1 session, 2 records, no faults" },
  ]);
  truncateSync(session(folder, "2", callRecord()), 16_000_001);
  expect(await found(folder)).toMatchObject([
    {
      status: "ok",
      detail: "the last 2 sessions, 2 records, no faults; not read: 1 session larger than 16 MB",
    },
  ]);
});

test("faults, lost records and lines that cannot be read, with the newest file", async () => {
  using folder = new Folder();
  const fault = faultRecord({ where: "config", what: "window" });
  session(folder, "1", { ...fault, ts: "2026-09-01T09:00:00.000Z" });
  const newest = session(
    folder,
    "2",
    fault,
    "[]\n",
    '{"type": "call", "to\n',
    endRecord({ dropped_records: 1_200 }),
  );
  const findings = await found(folder);
  expect(findings.map(({ detail }) => detail)).toEqual([
    `incomplete lines, as left by a killed session (1 session, most recently in ${newest})`,
    `lines that are not records (1 session, most recently in ${newest})`,
    `a metering fault in a session at 2026-09-01 12:00 UTC: config: a mistake in window (2 sessions, most recently in ${newest})`,
    `1,200 records not written (1 session, most recently in ${newest})`,
  ]);
  expect(new Set(findings.map(({ status }) => status))).toEqual(new Set(["warning"]));
  expect(findings[0]?.fix).toBe(`mcp-meter report ${newest}`);
});

const turn = (ts: string): string => `${JSON.stringify({ type: "turn", ts })}\n`;

test("imported records are counted, from the first day on", async () => {
  using folder = new Folder();
  const findImports = () => checkImports(makeInstallation({ XDG_STATE_HOME: folder.path }));
  expect(await findImports()).toMatchObject([
    { check: "imports", status: "ok", detail: "none yet; mcp-meter import reads clients' logs" },
  ]);
  mkdirSync(folder.at("mcp-meter/imports/codex"), { recursive: true });
  folder.file("mcp-meter/imports/codex/a.ndjson", turn("2026-09-02T09:00:00.000Z").repeat(3));
  const packed = packBytes(Buffer.from(turn("2026-09-01T09:00:00.000Z")));
  writeFileSync(folder.at("mcp-meter/imports/codex/b.ndjson.zst"), packed);
  expect(await findImports()).toMatchObject([
    {
      status: "ok",
      detail:
        "4 records of 2 conversations since 2026-09-01; each sub-agent counts as a conversation",
    },
  ]);
});

test(`the newest ${examinedSessionsMax} sessions are examined`, async () => {
  using folder = new Folder();
  session(folder, "000", faultRecord());
  for (let at = 1; at <= examinedSessionsMax; at += 1) {
    session(folder, String(at).padStart(3, "0"), callRecord());
  }
  expect(await found(folder)).toMatchObject([{ status: "ok" }]);
});

test("Redis faults are put into words", async () => {
  using folder = new Folder();
  const words = [
    ["ERR", "it answers with an error; see its log"],
    ["eviction", "it may remove counters when its memory is full"],
    ["CLOSED_AT_START", "it closed the connection at once; a Redis with TLS requires rediss://"],
  ] as const;
  const records = words.map(([what]) => faultRecord({ where: "budget counters", what }));
  session(folder, "1", ...records);
  const details = (await found(folder)).map(({ detail }) => detail);
  for (const [at, [, text]] of words.entries()) expect(details[at]).toContain(`: ${text} (`);
});

test("a fault without a readable time shows none", async () => {
  using folder = new Folder();
  session(folder, "1", { ...faultRecord({ where: "config", what: "window" }), ts: "soon" });
  expect(JSON.stringify(await found(folder))).toContain("config: a mistake in window (1 session");
});
