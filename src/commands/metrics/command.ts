import { exitCodes, lowercaseFirst } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { Teller } from "#kit/text/teller.ts";
import { findConfiguredRedis } from "../counters/read-counters.ts";
import { printOutput, rejectMissingFolder } from "../output/output-options.ts";
import { resolveRange, openTimeZone } from "../report/usage.ts";
import { renderMetrics } from "./metrics-text.ts";

export type MetricsOptions = {
  readonly files: readonly string[];
  readonly since: string | undefined;
  readonly timezone: string | undefined;
  readonly output: string | undefined;
};

export async function printMetrics(
  options: MetricsOptions,
  io: Io,
  nowMs: number = Date.now(),
): Promise<Ending> {
  const { files, since, timezone, output } = options;
  rejectMissingFolder(options);
  const raw = { since, until: undefined };
  const { fromMs: sinceMs } = resolveRange(raw, undefined, openTimeZone(timezone), nowMs);
  const { tell } = new Teller(io.stderr);
  // Throws for a mistake in Redis variables; an unreachable Redis only leaves out the budgets.
  if (files.length === 0) findConfiguredRedis(io);
  const { text, countersFault } = await renderMetrics({ files, sinceMs }, io, tell);
  if (countersFault !== undefined) tell(metricsSentences.metricsWithoutBudgets(countersFault));
  await printOutput(() => text, { output, isWide: true }, io);
  return { code: exitCodes.ok };
}

export const metricsSentences = {
  metricsWithoutBudgets: (fault: string) => `Leaving out budget usage: ${lowercaseFirst(fault)}`,
} as const;
