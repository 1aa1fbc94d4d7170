import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { renderSummary } from "#screens/renderers/index.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { goldenRoot, readSession, type SpokenLine } from "../support/golden.ts";
import { goldenSessions } from "../support/golden-sessions.ts";
import { summaryOf, sha256 } from "../support/play.ts";
import { allRecordsIn } from "../support/records.ts";
import { createDefinitionCache } from "#tokens/cost/count-definition.ts";
import { Meter } from "#meter/session/meter.ts";
import { createReaderChooser } from "#commands/reader-chooser.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { bytesOf } from "../support/bytes.ts";

const fileOf = (name: string, file: string): string => join(goldenRoot, name, file);

function replayed(name: string): MeterRecord[] {
  return replayRecording(fileOf(name, "session.ndjson"));
}

function eraOf(name: string): "legacy" | "modern" | null | undefined {
  const [session] = replayed(name);
  return session?.type === "session" ? session.era : undefined;
}

function callsOf(name: string): CallRecord[] {
  return replayed(name).filter((record) => record.type === "call");
}

describe("a recorded session, told once more,", () => {
  for (const { name } of goldenSessions) {
    test(`${name} gives the same records and the same summary`, async () => {
      const records = replayed(name).map(withoutTimes);
      const lines = records.map(formatRecordLine).join("");
      const summary = renderSummary("table", summaryOf(records), { color: false });
      expect(lines).toBe(kept(fileOf(name, "records.ndjson"), lines));
      expect(await allRecordsIn(lines)).toEqual([...records]);
      expect(summary).toBe(kept(fileOf(name, "summary.txt"), summary));
    });
  }

  const probes = goldenSessions.filter(({ name }) => existsSync(fileOf(name, "probe.ndjson")));
  for (const { name } of probes) {
    test(`${name} began with a probe, which leaves nothing`, () => {
      expect(replayRecording(fileOf(name, "probe.ndjson"))).toEqual([]);
    });
  }
});

describe("of what was recorded,", () => {
  test("two rounds of input are one call with all its messages", () => {
    const rounds = callsOf("modern-v2").filter(({ messages }) => messages > 2);
    expect(rounds).toMatchObject([{ method: "tools/call", outcome: "ok", messages: 6 }]);
  });

  for (const name of ["legacy-task", "everything-task", "modern-task"]) {
    test(`the task of ${name} is one call, however often it was asked after`, () => {
      const calls = callsOf(name).filter(({ method }) => method === "tools/call");
      expect(calls).toMatchObject([{ outcome: "ok" }]);
      expect(calls[0]?.output_tokens).toBeGreaterThan(0);
    });
  }

  for (const name of ["legacy-cancel", "modern-cancel"]) {
    test(`the call given up in ${name} is cancelled and charged nothing`, () => {
      const cancelled = callsOf(name).filter(({ outcome }) => outcome === "cancelled");
      expect(cancelled).toMatchObject([{ total_tokens: 0, result_sha256: null }]);
    });
  }

  test("a subscription that its client gives up is cancelled, and no call", () => {
    expect(callsOf("modern-listen").every(({ outcome }) => outcome === "ok")).toBe(true);
    const listens = replayed("modern-listen").filter(
      (record) => record.type === "protocol" && record.method === "subscriptions/listen",
    );
    expect(listens).toMatchObject([{ outcome: "cancelled" }]);
  });

  test("both eras are told apart", () => {
    expect(["legacy-v1", "legacy-v2-auto", "modern-v1", "modern-v2"].map(eraOf)).toEqual([
      "legacy",
      "legacy",
      "legacy",
      "modern",
    ]);
  });

  test("an answer whose text repeats its structuredContent has a duplicate, counted once", () => {
    const twice = callsOf("everything-v1").filter((call) => call.duplicate_tokens > 0);
    expect(twice.length).toBeGreaterThan(0);
    for (const call of twice) expect(call.visible_tokens).toBeLessThan(call.wire_tokens);
  });
});

function replayRecording(file: string): MeterRecord[] {
  const meter = new Meter({
    version: "0.0.0",
    sessionId: "00000000-0000-4000-8000-000000000000",
    command: "server",
    serverLabel: undefined,
    serverLabelFallback: "server",
    risk: riskThresholdsDefault,
    readerFor: createReaderChooser({
      tokenizer: "auto",
      model: undefined,
      client: undefined,
      windowTokens: undefined,
    }),
    hash: sha256,
    definitionCache: createDefinitionCache(),
  });
  const spoken = readSession(file);
  const heard = spoken.flatMap((line) => [...hear(meter, line)]);
  const at = instant(spoken.at(-1)?.at_ms ?? 0);
  while (meter.backlog > 0) heard.push(...meter.judge({ kind: "work", at }).records);
  const ending = { exitCode: 0, signal: null, droppedRecords: 0, observerFaults: 0 };
  return [...heard, ...meter.judge({ kind: "end", at, ...ending }).records];
}

function hear(meter: Meter, { at_ms: atMs, from, line }: SpokenLine): readonly MeterRecord[] {
  const bytes = bytesOf(`${line}\n`);
  const whole = { bytes, size: bytes.length, skim: undefined };
  return meter.judge({ kind: "line", from, line: whole, at: instant(atMs) }).records;
}

function instant(atMs: number) {
  return { monoMs: atMs, wallMs: Date.UTC(2026, 8, 1, 12) + atMs };
}

function withoutTimes(record: MeterRecord): MeterRecord {
  const timeless = { ...record, ts: "2026-09-01T12:00:00.000Z" };
  return "duration_ms" in timeless ? { ...timeless, duration_ms: 0 } : timeless;
}

/** The text kept in a file beside its recording; `GOLDEN=update` writes it anew, for a person to read the diff. */
function kept(file: string, text: string): string {
  if (process.env["GOLDEN"] === "update") writeFileSync(file, text);
  return existsSync(file) ? readFileSync(file, "utf8") : "(not there: GOLDEN=update writes it)";
}
