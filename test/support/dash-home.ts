import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MeterRecord } from "#records/record.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { madeUsage } from "./made-usage.ts";

const dayMs = 86_400_000;

const lastMadeDay = Date.UTC(2026, 10, 13);

export function recentUsage(nowMs = Date.now()): MeterRecord[][] {
  const shift = Math.floor((nowMs - lastMadeDay) / dayMs) * dayMs;
  return madeUsage().map((records) =>
    records.map((record) => ({
      ...record,
      ts: new Date(Date.parse(record.ts) + shift).toISOString(),
    })),
  );
}

export function writeSessions(
  stateHome: string,
  sessions: readonly (readonly MeterRecord[])[],
): string[] {
  const day = new Date().toISOString().slice(0, "2026-11-22".length);
  const folder = join(stateHome, "mcp-meter", "sessions", day);
  mkdirSync(folder, { recursive: true });
  return sessions.map((records, at) => {
    const path = join(folder, `${String(at).padStart(6, "0")}-made-0a1b2c3d.ndjson`);
    writeFileSync(path, records.map(formatRecordLine).join(""));
    const last = Date.parse(records.at(-1)?.ts ?? "") / 1000;
    utimesSync(path, last, last);
    return path;
  });
}
