import { basename } from "node:path";
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
import { Faults } from "./faults.ts";
import { openGate, type OpenGate } from "./gate.ts";
import type { RunOptions } from "./options.ts";
import type { Preparation } from "./preparation.ts";
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
  { env, stderr }: Pick<Io, "env" | "stderr">,
  tell: Tell,
): Promise<OpenSession> {
  const sessionId = crypto.randomUUID();
  const ledger = new Ledger(await openPrices(options, namedPrices));
  const recordFile = () =>
    namedFile ?? newRecordFile({ isSynced: options.isLogSynced, sessionId, env }, tell);
  const faults = new Faults(tell);
  const sink = createSink(options.log, { stderr, recordFile });
  const otlp = await openTelemetry(options, env, faults);
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
  const destinations = { ledger, sink, running, opened, otlp };
  const observer = new Observer(meter, listenerFor(destinations, tell));
  faults.recordWith(({ where, what }) => observer.note(where, what));
  for (const what of options.configFaults) observer.note("config", what);
  return {
    observer,
    close: async (ending) => {
      await finish(observer, ending, destinations);
      prices.save();
      return resultOf(ledger, sink, meter);
    },
  };
}

/** The sink of telemetry, whose modules are loaded where it is wanted; undefined elsewhere. */
async function openTelemetry(
  { otlp }: RunOptions,
  env: Io["env"],
  faults: Faults,
): Promise<OtlpSink | undefined> {
  if (!otlp) return undefined;
  const { openOtlp } = await import("#sinks/otlp/open-otlp.ts");
  return openOtlp(otlp, env, (what) =>
    faults.report(sentences.telemetryFailed(what), what, "telemetry"),
  );
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
  /** Undefined without telemetry. */
  readonly otlp: OtlpSink | undefined;
};

/** Completes the records, and sends them where they go. */
async function finish(
  observer: Observer,
  ending: Ending,
  { sink, opened, otlp }: Destinations,
): Promise<void> {
  // Meanwhile the rest is counted.
  otlp?.begin();
  await observer.finish(ending);
  opened.close();
  await Promise.all([sink.flush(recordFlushMaxMs), otlp?.close()]);
}

/** Hands records to the ledger and the sink, and urgent ones to the person. */
function listenerFor({ ledger, sink, running, opened, otlp }: Destinations, tell: Tell): Listener {
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
      if (record.type === "session") opened.nameServer(record.server);
    },
    ready: () => sink.ready(),
    dropped: (isEnd) => sink.dropped + (isEnd ? sink.waiting : 0),
    flush: async () => {
      await Promise.all([sink.flush(recordFlushMaxMs), otlp?.flush()]);
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
