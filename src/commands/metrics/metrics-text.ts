import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import type { MeterRecord } from "#records/record.ts";
import { SeenRecords } from "#history/reports/seen-records.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import { locateSessions } from "#state/storage/folders.ts";
import {
  findRecordSources,
  type RecordSources,
  findRecordSourcesBelow,
} from "#state/storage/find-record-files.ts";
import { FleetMetrics } from "#history/telemetry/fleet-metrics.ts";
import { formatPrometheus } from "#history/telemetry/prometheus.ts";
import type { Tell } from "#kit/text/teller.ts";
import { tryReadCounters } from "../counters/read-counters.ts";
import { readSources } from "../report/read-sources.ts";
import { commandSentences } from "../sentences.ts";

type MetricsChoice = {
  readonly files: readonly string[];
  readonly sinceMs: number;
};

type MetricsText = { readonly text: string; readonly countersFault: string | undefined };

// Leaves out imported logs: their calls have no duration, and may be in sessions as well.
// Throws UserError when a named file cannot be read.
export async function renderMetrics(
  { files, sinceMs }: MetricsChoice,
  io: Pick<Io, "env" | "platform">,
  tell: Tell,
): Promise<MetricsText> {
  const fleet = new FleetMetrics();
  const seen = new SeenRecords();
  const take = (record: MeterRecord): void => {
    // Later records need the names of their session, however old it is.
    const isWanted = record.type === "session" || Date.parse(record.ts) >= sinceMs;
    if (isWanted && seen.isNew(record)) fleet.take(record);
  };
  const sources = files.length > 0 ? await findRecordSources(files) : findSources(io.env, sinceMs);
  await readSources(sources, take, tell, { takeImported: () => undefined });
  const countersFault = files.length === 0 ? await addBudgets(fleet, io) : undefined;
  return { text: formatPrometheus(fleet.readings()), countersFault };
}

async function addBudgets(
  fleet: FleetMetrics,
  io: Pick<Io, "env" | "platform">,
): Promise<string | undefined> {
  const { counters, fault } = await tryReadCounters(io);
  for (const counter of counters) fleet.addBudget(describeUse(counter));
  fleet.noteCounters(fault === undefined);
  return fault;
}

function findSources(env: Io["env"], sinceMs: number): RecordSources {
  const folder = findStateFolder(env);
  if (folder === undefined) throw new UserError(commandSentences.stateHomeMissing());
  return findRecordSourcesBelow(locateSessions(folder), sinceMs);
}

function describeUse({ server, pattern, limit, unit, per, spent, held }: CounterStatus) {
  const tools = pattern ?? (server === null ? "all" : "");
  const amount = unit === "calls" ? `${limit}calls` : String(limit);
  const budget = `${tools === "" ? "" : `${tools}=`}${amount}/${per}`;
  const share = limit > 0 ? (spent + held) / limit : Math.min(spent, 1);
  return { server, budget, share };
}
