import type { Io } from "#kit/io.ts";
import { renderMetrics } from "../metrics/command.ts";
import { PageNotes, type ReportReadFault } from "./page-data.ts";

// Rendered metrics are kept this long, because rendering reads all records.
const metricsMaxAgeMs = 10_000;

const allRecords = { files: [], sinceMs: -Infinity };

export function cacheMetrics(
  io: Io,
  notes: PageNotes,
  reportFault: ReportReadFault,
): () => Promise<string> {
  return cacheText(async () => {
    const { text, countersFault } = await renderMetrics(allRecords, io, notes.tell);
    reportFault(countersFault);
    return text;
  }, metricsMaxAgeMs);
}

function cacheText(make: () => Promise<string>, maxAgeMs: number): () => Promise<string> {
  let text: Promise<string> | undefined;
  let endMs = 0;
  const makeNow = async (): Promise<string> => {
    try {
      return await make();
    } catch (error) {
      text = undefined;
      throw error;
    } finally {
      endMs = Date.now() + maxAgeMs;
    }
  };
  return () => {
    if (text && Date.now() < endMs) return text;
    // Until the text is ready, all calls share its promise.
    endMs = Infinity;
    text = makeNow();
    return text;
  };
}
