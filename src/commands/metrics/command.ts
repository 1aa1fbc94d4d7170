import { exitCodes } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { Teller } from "#text/teller.ts";
import { printOutput, rejectMissingFolder } from "../output/print-output.ts";
import { rangeOf, zoneNamed } from "../report/usage.ts";
import { metricsText } from "./metrics-text.ts";
import type { MetricsOptions } from "./options.ts";

/** Prints the metrics of record files, or of all sessions of this machine, for a scraper of Prometheus. */
export async function metrics(
  options: MetricsOptions,
  io: Io,
  nowMs: number = Date.now(),
): Promise<Ending> {
  const { files, since, timezone, output } = options;
  rejectMissingFolder(options);
  const raw = { since, until: undefined };
  const { fromMs: sinceMs } = rangeOf(raw, undefined, zoneNamed(timezone), nowMs);
  const { tell } = new Teller(io.stderr);
  const text = await metricsText({ files, sinceMs }, io, tell);
  printOutput(() => text, { output, isWide: true }, io);
  return { code: exitCodes.ok };
}
