import { requireStateFolder, locateSessions } from "#state/storage/folders.ts";
import { exitCodes } from "#kit/errors.ts";
import type { Io, Ending } from "#kit/io.ts";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import type { MeterRecord } from "#records/record.ts";
import { SeenRecords } from "#history/reports/record-filter.ts";
import { findRecordSources, findRecordSourcesBelow } from "#state/storage/find-record-files.ts";
import { FleetMetrics, formatPrometheus } from "#history/telemetry/prometheus.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import { counterSentences } from "../counters/counter-options.ts";
import { tryReadCounters, findConfiguredRedis } from "../counters/read-counters.ts";
import { readSources } from "../report/read-usage.ts";
import { printOutput, rejectUnwritableOutput } from "../output/output-options.ts";
import { resolveRange, openTimeZone } from "../report/usage.ts";

type MetricsChoice = {
  readonly files: readonly string[];
  readonly sinceMs: number;
};

type MetricsText = { readonly text: string; readonly countersFault: string | undefined };

// Leaves out imported logs, because some of their calls are also in the records of sessions. Throws UserError.
export async function renderMetrics(
  { files, sinceMs }: MetricsChoice,
  io: Pick<Io, "env" | "platform">,
  tell: Tell,
): Promise<MetricsText> {
  const metrics = new FleetMetrics();
  const seen = new SeenRecords();
  const take = (record: MeterRecord): void => {
    // A session record of any age is wanted, because later records need its names.
    const isWanted = record.type === "session" || Date.parse(record.ts) >= sinceMs;
    if (isWanted && seen.isNew(record)) metrics.take(record);
  };
  const sources =
    files.length > 0
      ? await findRecordSources(files)
      : findRecordSourcesBelow(locateSessions(requireStateFolder(io.env)), sinceMs);
  await readSources(sources, take, tell, { takeImported: () => undefined });
  const countersFault = files.length === 0 ? await addBudgets(metrics, io) : undefined;
  return { text: formatPrometheus(metrics.readAll()), countersFault };
}

async function addBudgets(
  metrics: FleetMetrics,
  io: Pick<Io, "env" | "platform">,
): Promise<string | undefined> {
  const { counters, fault } = await tryReadCounters(io);
  for (const counter of counters) metrics.addBudget(makeBudgetUse(counter));
  metrics.recordCountersReadable(fault === undefined);
  return fault;
}

function makeBudgetUse(counter: CounterStatus) {
  const { server, pattern, limit, unit, per, owner, user, spent, held } = counter;
  const tools = pattern ?? (server === null ? "all" : "");
  const amounts = { tokens: String(limit), calls: `${limit}calls`, dollars: `$${limit}` };
  const perUser = owner === "user" ? "/user" : "";
  const budget = `${tools === "" ? "" : `${tools}=`}${amounts[unit]}/${per}${perUser}`;
  const share = limit > 0 ? (spent + held) / limit : Math.min(spent, 1);
  return { server, budget, user, share };
}

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
  rejectUnwritableOutput(options);
  const raw = { since, until: undefined };
  const { fromMs: sinceMs } = resolveRange(raw, undefined, openTimeZone(timezone), nowMs);
  const { tell } = new Teller(io.stderr);
  // Throws for a mistake in an environment variable. `renderMetrics` would only leave out the budgets, as if Redis were
  // unreachable.
  if (files.length === 0) findConfiguredRedis(io);
  const { text, countersFault } = await renderMetrics({ files, sinceMs }, io, tell);
  if (countersFault !== undefined) tell(counterSentences.metricsWithoutBudgets(countersFault));
  await printOutput(() => text, { output, isWide: true }, io);
  return { code: exitCodes.ok };
}
