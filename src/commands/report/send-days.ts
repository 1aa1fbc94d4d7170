import { inWords } from "#error-words.ts";
import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { pointsSentMax, refusedMaxMs, sendingDaysMaxMs } from "#limits/telemetry.ts";
import { sha256 } from "#os/sha256.ts";
import { isWantedFact } from "#reports/make-report.ts";
import type { TimeZone } from "#reports/time-zone.ts";
import type { UsageFact } from "#reports/usage-fact.ts";
import { awaitBackend } from "#sinks/otlp/await-backend.ts";
import type { Exporter } from "#sinks/otlp/exported.ts";
import { openExporter } from "#sinks/otlp/open-otlp.ts";
import { stateFolder } from "#storage/folders.ts";
import { installationKey } from "#storage/installation-key.ts";
import {
  type DayReading,
  dayMetrics,
  type DayUsage,
  type ServerDays,
} from "#telemetry/day-metrics.ts";
import { Teller } from "#text/teller.ts";
import { version } from "#version.ts";
import type { DaySending, ReportOptions } from "./options.ts";
import { readUsage } from "./read-usage.ts";
import { rangeOf, usualDays, zoneNamed } from "./usage.ts";

/**
 * Sends the tokens of past days by OTLP, calls of imported logs and totals of removed records included. Today is left out: its
 * tokens would change. Throws UserError when the backend does not take them.
 */
export async function sendDays(
  { url, range, filters }: DaySending,
  { files, timezone }: Pick<ReportOptions, "files" | "timezone">,
  io: Io,
  nowMs: number,
): Promise<Ending> {
  const zone = zoneNamed(timezone);
  const teller = new Teller(io.stderr);
  const { tell } = teller;
  const wanted = rangeOf(range, files.length > 0 ? undefined : usualDays, zone, nowMs);
  const plan = { ranges: [wanted], zone, nowMs, isBySession: false };
  const { facts } = await readUsage(files, plan, io, { tell });
  const whole = facts.filter((fact) => fact.day < zone.dayOf(nowMs) && isWantedFact(fact, filters));
  const servers = dayMetrics(whole.map((fact) => usageOf(fact, zone)));
  if (servers.length === 0) tell(sentences.noDaysToSend());
  else await sendAll(servers, url, io, teller);
  return { code: exitCodes.ok };
}

async function sendAll(
  servers: readonly ServerDays[],
  url: string | undefined,
  { env }: Io,
  teller: Teller,
): Promise<void> {
  const key = installationKey(stateFolder(env));
  // The days of another machine are series of their own.
  const instance = key === "" ? {} : { "service.instance.id": sha256(`telemetry ${key}`) };
  const shared = { "service.name": "mcp-meter", "service.version": version, ...instance };
  try {
    const exporter = await openExporter({ url, hasSpans: false }, env, sendingDaysMaxMs);
    const refused = (): void => teller.tell(sentences.daysRefused(refusedMaxMs / 1000));
    if (!(await awaitBackend(exporter.address, refused))) throw new Error(inWords("ECONNREFUSED"));
    teller.showProgress(sentences.daysSending());
    for (const { resource, days } of servers) {
      for (const part of inParts(days)) await send(part, { ...shared, ...resource }, exporter);
    }
  } catch (error) {
    const what = error instanceof Error ? error.message : "the export failed";
    teller.clearProgress();
    throw new UserError(sentences.daysUnsent(what), exitCodes.failed);
  }
  const days = servers.flatMap((one) => one.days);
  const points = days.reduce((sum, { reading }) => sum + reading.points.length, 0);
  teller.tell(sentences.daysSent(points, new Set(days.map(({ startMs }) => startMs)).size));
}

async function send(
  days: readonly DayReading[],
  resource: ServerDays["resource"],
  exporter: Exporter,
): Promise<void> {
  const periods = days.map(({ startMs, reading }) => ({
    startMs,
    endMs: startMs,
    readings: [reading],
  }));
  await exporter.sendMetrics(periods, resource);
}

/** The days in requests of about `pointsSentMax` values, at least one day each. */
function inParts(days: readonly DayReading[]): DayReading[][] {
  const parts: DayReading[][] = [[]];
  let points = 0;
  for (const day of days) {
    const count = day.reading.points.length;
    if (points > 0 && points + count > pointsSentMax) {
      parts.push([]);
      points = 0;
    }
    parts.at(-1)?.push(day);
    points += count;
  }
  return parts;
}

function usageOf(
  { day, server, session, method, tool, sums }: UsageFact,
  zone: TimeZone,
): DayUsage {
  return {
    startMs: zone.startOf(day),
    server,
    client: session.client,
    estimator: session.estimation?.estimator ?? null,
    method,
    tool,
    argumentTokens: sums.input_tokens,
    resultTokens: sums.output_tokens,
    definitionTokens: sums.resident_tokens + sums.loaded_tokens,
  };
}
