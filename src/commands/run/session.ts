import { basename } from "node:path";
import type { AlertCommand } from "#alerting/alert-command.ts";
import { sentences } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { recordFlushMaxMs } from "#limits/records.ts";
import { programMark } from "#os/program-mark.ts";
import { sha256 } from "#os/sha256.ts";
import { type Listener, Observer } from "#proxy/observer.ts";
import { Ledger } from "#records/ledger.ts";
import type { Summary } from "#records/summary.ts";
import { Meter } from "#session/meter.ts";
import { serverLabel } from "#session/server-label.ts";
import { createSink, type Sink } from "#sinks/index.ts";
import type { OtlpSink } from "#sinks/otlp/otlp-sink.ts";
import { ExactCache, exactCacheFile } from "#storage/exact-cache.ts";
import { PriceCache, priceCacheFile } from "#storage/price-cache.ts";
import type { Tell } from "#text/teller.ts";
import { version } from "#version.ts";
import { openPrices } from "../price-options.ts";
import { exactlyRead } from "../exact-reader.ts";
import { readerFor } from "../reader.ts";
import { openAlerts } from "./alerts.ts";
import { Faults } from "./faults.ts";
import { openGate, type OpenGate } from "./gate.ts";
import type { RunOptions } from "./options.ts";
import type { Preparation } from "./preparation.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { newRecordFile } from "./record-target.ts";
import { RunningSummary } from "./running-summary.ts";
import { Urgent } from "./urgent.ts";

/** A metered session: the observer of its traffic, and the function that completes it. */
export type OpenSession = {
  readonly observer: Observer;
  readonly close: (ending: Ending) => Promise<SessionResult>;
};

/** The results of a session that `run` prints. */
export type SessionResult = {
  readonly summary: Summary;
  readonly recordsPath: string | undefined;
  readonly droppedRecords: number;
  /** Lines of the server that are not JSON-RPC. */
  readonly foreignLines: number;
};

/** Connects the meter of one session with its records, counters and caches. */
export async function openSession(
  options: RunOptions,
  { lock, namedFile, spillFolder, namedPrices, calibration }: Preparation,
  io: Pick<Io, "env" | "stderr" | "platform" | "signals">,
  tell: Tell,
): Promise<OpenSession> {
  const { env } = io;
  const sessionId = crypto.randomUUID();
  const ledger = new Ledger(await openPrices(options, namedPrices));
  const recordFile =
    namedFile ?? newRecordFile({ isSynced: options.isLogSynced, sessionId, env }, tell);
  const sink = createSink(options.log, { stderr: io.stderr, recordFile: () => recordFile });
  const faults = new Faults(tell);
  const opened = await openGate({ options, sessionId, env, spillFolder }, faults.report);
  const prices = pricesFor(options, env);
  const meter = new Meter({
    ...options,
    version,
    sessionId,
    ...labels(options),
    readerFor: exactlyRead(readerFor({ ...options, calibration }, env), knownCounts(options, env)),
    hash: sha256,
    prices,
    lock,
    gate: opened.gate,
  });
  const running = new RunningSummary(options, ledger);
  const others = await openOthers(options, io, faults);
  const destinations = { ledger, sink, running, opened, ...others };
  const observer = new Observer(meter, listenerFor(destinations, tell));
  faults.recordWith(({ where, what }) => observer.note(where, what));
  for (const what of options.configFaults) observer.note("config", what);
  return {
    observer,
    close: async (ending) => {
      await complete(ending, { observer, prices, ...destinations });
      return resultOf(ledger, sink, meter);
    },
  };
}

/** The destinations of records that an option asks for. */
async function openOthers(
  options: RunOptions,
  io: Pick<Io, "env" | "platform" | "signals">,
  { report }: Faults,
): Promise<Pick<Destinations, "alerts" | "otlp">> {
  const alerts = await openAlerts(options, io, report);
  return { alerts, otlp: await openTelemetry(options, io.env, report) };
}

/** The parts of a session that have something to save at its end. */
type SavedParts = Pick<Destinations, "opened" | "sink" | "otlp"> & {
  readonly observer: Observer;
  readonly prices: PriceCache;
};

async function complete(ending: Ending, { observer, prices, opened, sink, otlp }: SavedParts) {
  // Meanwhile the rest is counted.
  otlp?.begin();
  await observer.finish(ending);
  prices.save();
  opened.close();
  await Promise.all([sink.flush(recordFlushMaxMs), otlp?.close()]);
}

function resultOf(ledger: Ledger, sink: Sink, { foreignLines }: Meter): SessionResult {
  const { path: recordsPath, dropped, waiting } = sink;
  const droppedRecords = dropped + waiting;
  return { summary: ledger.summarize(), recordsPath, droppedRecords, foreignLines };
}

/** Prices of earlier sessions. A user who wants no records wants no cache of them either. */
function pricesFor({ log }: RunOptions, env: Io["env"]): PriceCache {
  return new PriceCache(log === "off" ? undefined : priceCacheFile(env), programMark(version));
}

/** Counts of makers that `--exact` has kept; read only. */
function knownCounts({ log }: RunOptions, env: Io["env"]): ExactCache {
  return new ExactCache(log === "off" ? undefined : exactCacheFile(env));
}

/** The names of a server in records: its program, the user's label, and one for a server without a name. */
function labels({ command, server }: RunOptions) {
  const [program = ""] = command;
  return {
    command: basename(program),
    serverLabel: server,
    serverLabelFallback: serverLabel(command),
  };
}

/** The parts of a session that records go to, and the file that follows them. */
type Destinations = {
  readonly ledger: Ledger;
  readonly sink: Sink;
  readonly running: RunningSummary;
  readonly opened: OpenGate;
  readonly alerts: AlertCommand | undefined;
  /** Undefined without telemetry. */
  readonly otlp: OtlpSink | undefined;
};

/** Hands records to the ledger and the sinks, and urgent ones to the person and to the command of alerts. */
function listenerFor(
  { ledger, sink, running, opened, alerts, otlp }: Destinations,
  tell: Tell,
): Listener {
  const urgent = new Urgent(tell);
  return {
    save: (isLeaving) => {
      sink.save(isLeaving);
      running.save();
      opened.save();
      if (isLeaving) otlp?.begin();
    },
    record: (record) => {
      ledger.add(record);
      sink.take(record);
      otlp?.take(record);
      urgent.take(record);
      alerts?.take(record);
      if (record.type === "session") opened.nameServer(record.server);
    },
    ready: () => sink.ready(),
    dropped: (isEnd) => sink.dropped + (isEnd ? sink.waiting : 0),
    flush: async () => {
      // Their failures are records too.
      await Promise.all([alerts?.finish(), otlp?.flush()]);
      await sink.flush(recordFlushMaxMs);
    },
    failed: firstTime((where, what) => tell(sentences.observerFailed(where, what))),
  };
}

/** The function, which acts the first time it is called and never again. */
function firstTime<Args extends readonly unknown[]>(
  act: (...args: Args) => void,
): (...args: Args) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    act(...args);
  };
}
