import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createDefinitionPrices } from "#tokens/cost/definition-prices.ts";
import { Meter } from "#meter/session/meter.ts";
import type { MeterRecord } from "#records/record.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { readerFor } from "#commands/reader.ts";
import { bytesOf } from "./bytes.ts";
import { readSession, type SpokenLine } from "./golden.ts";
import { sha256 } from "./play.ts";

export function replayRecording(file: string): MeterRecord[] {
  const meter = new Meter({
    version: "0.0.0",
    sessionId: "00000000-0000-4000-8000-000000000000",
    command: "server",
    serverLabel: undefined,
    serverLabelFallback: "server",
    risk: riskThresholdsDefault,
    readerFor: readerFor({
      tokenizer: "auto",
      model: undefined,
      client: undefined,
      windowTokens: undefined,
    }),
    hash: sha256,
    prices: createDefinitionPrices(),
  });
  const spoken = readSession(file);
  const heard = spoken.flatMap((line) => [...hear(meter, line)]);
  const at = instant(spoken.at(-1)?.at_ms ?? 0);
  while (meter.backlog > 0) heard.push(...meter.step({ kind: "work", at }));
  const ending = { exitCode: 0, signal: null, droppedRecords: 0, observerFaults: 0 };
  return [...heard, ...meter.step({ kind: "end", at, ...ending })];
}

function hear(meter: Meter, { at_ms: atMs, from, line }: SpokenLine): readonly MeterRecord[] {
  const bytes = bytesOf(`${line}\n`);
  const whole = { bytes, size: bytes.length, skim: undefined };
  return meter.step({ kind: "line", from, line: whole, at: instant(atMs) });
}

function instant(atMs: number) {
  return { monoMs: atMs, wallMs: Date.UTC(2026, 8, 1, 12) + atMs };
}

export function withoutTimes(record: MeterRecord): MeterRecord {
  const timeless = { ...record, ts: "2026-09-01T12:00:00.000Z" };
  return "duration_ms" in timeless ? { ...timeless, duration_ms: 0 } : timeless;
}

/** The text kept in a file beside its recording; `GOLDEN=update` writes it anew, for a person to read the diff. */
export function kept(file: string, text: string): string {
  if (process.env["GOLDEN"] === "update") writeFileSync(file, text);
  return existsSync(file) ? readFileSync(file, "utf8") : "(not there: GOLDEN=update writes it)";
}
