import { mkdirSync, utimesSync } from "node:fs";
import type { ToolContext } from "#commands/mcp/tool-context.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { MeterRecord } from "#records/record.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { Folder } from "./folder.ts";

export const servedNowMs = Date.parse("2026-11-22T12:00:00.000Z");

export function servedMachine(
  sessions: readonly (readonly MeterRecord[])[],
  prices?: PriceBook,
): { readonly folder: Folder; readonly context: ToolContext } & Disposable {
  const folder = new Folder();
  const day = "mcp-meter/sessions/2026-11-22";
  if (sessions.length > 0) mkdirSync(folder.at(day), { recursive: true });
  for (const [at, records] of sessions.entries()) {
    const file = folder.file(`${day}/${at}.ndjson`, records.map(formatRecordLine).join(""));
    const last = Date.parse(records.at(-1)?.ts ?? "") / 1000;
    utimesSync(file, last, last);
  }
  return {
    folder,
    context: {
      timezone: "UTC",
      prices,
      io: { platform: "linux", env: { XDG_STATE_HOME: folder.path } },
      now: () => servedNowMs,
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
