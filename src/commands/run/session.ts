import { basename } from "node:path";
import type { AlertCommand } from "#state/alerting/alert-command.ts";
import type { Ending, Io } from "#kit/io.ts";
import { recordFlushMaxMs } from "#kit/limits.ts";
import { sha256 } from "#kit/os/sha256.ts";
import { type Listener, Observer } from "#transport/proxy/observer.ts";
import type { MeterOptions } from "#meter/session/event.ts";
import { Meter } from "#meter/session/meter.ts";
import { serverLabel } from "#meter/session/server-label.ts";
import type { OtlpSink } from "#state/sinks/otlp/otlp-sink.ts";
import { ExactCache, exactCacheFile } from "#state/storage/exact-cache.ts";
import type { Tell } from "#kit/text/teller.ts";
import { version } from "#kit/version.ts";
import type { ParseShort } from "#wire/parse-message.ts";
import { exactlyRead } from "../exact-reader.ts";
import { readerFor } from "../reader.ts";
import { openAlerts } from "./alerts.ts";
import { Faults, type ReportFault } from "./faults.ts";
import { type OpenCounters, openGate, type OpenGate } from "./gate.ts";
import { recordedMachine } from "./machine.ts";
import type { MeteringOptions, RunOptions } from "./options.ts";
import type { Preparation } from "./preparation.ts";
import { openRecording, type Recording, resultOf, type SessionResult } from "./recording.ts";
import { Urgent } from "./urgent.ts";
import { runSentences } from "./sentences.ts";
import { httpSentences } from "#transport/http/sentences.ts";

export type OpenSession = {
  readonly observer: Observer;
  readonly close: (ending: Ending) => Promise<SessionResult>;
};

export async function openSession(
  options: RunOptions,
  preparation: Preparation,
  io: Pick<Io, "env" | "stderr" | "platform" | "signals">,
  tell: Tell,
): Promise<OpenSession> {
  const id = crypto.randomUUID();
  const recording = await openRecording(options, preparation, { ...io, id }, tell);
  const parts = { options, preparation, recording, id, server: labels(options) };
  const { observer, meter, close } = await meterSession(parts, io, tell);
  return {
    observer,
    close: async (ending) => {
      await close(ending);
      return resultOf(recording, meter.foreignLines);
    },
  };
}

export type SessionParts = {
  /** `command` identifies the server among those that share counters. */
  readonly options: MeteringOptions & Pick<RunOptions, "command">;
  readonly preparation: Pick<Preparation, "lock" | "spillFolder" | "calibration">;
  readonly recording: Recording;
  readonly id: string;
  readonly server: ServerLabels;
  readonly openCounters?: OpenCounters;
  readonly sharedAlerts?: AlertCommand | undefined;
};

type ServerLabels = Pick<
  MeterOptions,
  "command" | "transport" | "serverLabel" | "serverLabelFallback"
>;

type MeteredSession = {
  readonly observer: Observer;
  readonly meter: Pick<Meter, "foreignLines">;
  readonly close: (ending?: Ending) => Promise<void>;
};

export async function meterSession(
  { options, preparation, recording, id, server, openCounters, sharedAlerts }: SessionParts,
  io: Pick<Io, "env" | "platform" | "signals">,
  tell: Tell,
): Promise<MeteredSession> {
  const { env } = io;
  const { lock, spillFolder, calibration } = preparation;
  const faults = new Faults(tell);
  const setting = { options, sessionId: id, env, spillFolder, openCounters };
  const opened = await openGate(setting, faults.report);
  const meter = new Meter({
    ...options,
    version,
    sessionId: id,
    ...server,
    machine: () => recordedMachine(options, env),
    readerFor: exactlyRead(readerFor({ ...options, calibration }, env), knownCounts(options, env)),
    hash: sha256,
    parseShort: shortParser(),
    prices: recording.prices,
    listPrices: recording.listPrices,
    lock,
    gate: opened.gate,
  });
  const others = await openOthers({ ...options, sharedAlerts }, io, faults);
  const destinations = { ...recording, opened, ...others };
  const observer = new Observer(meter, listenerFor(destinations, tell));
  opened.connect(() => observer.answered());
  faults.recordWith(({ where, what }) => observer.note(where, what));
  for (const what of options.configFaults) observer.note("config", what);
  return {
    observer,
    meter,
    close: (ending) => complete(ending, { observer, ...destinations }),
  };
}

/** `JSON.parse` is faster, but its error takes longer than a short text: after one, `Bun.JSONL` parses until a text is JSON again. */
function shortParser(): ParseShort {
  let wasJson = true;
  return (text) => {
    const parsed = wasJson ? parseJson(text) : parseLine(text);
    wasJson = parsed !== undefined;
    return parsed;
  };
}

function parseJson(text: string): ReturnType<ParseShort> {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function parseLine(text: string): ReturnType<ParseShort> {
  const { values, done, error } = Bun.JSONL.parseChunk(text);
  return values.length === 1 && done && error === null ? { value: values[0] } : undefined;
}

async function openOthers(
  { sharedAlerts, ...options }: MeteringOptions & Pick<SessionParts, "sharedAlerts">,
  io: Pick<Io, "env" | "platform" | "signals">,
  { report }: Faults,
): Promise<Pick<Destinations, "alerts" | "ownAlerts" | "otlp">> {
  const ownAlerts = sharedAlerts ? undefined : await openAlerts(options, io, report);
  const otlp = await openTelemetry(options, io.env, report);
  return { alerts: sharedAlerts ?? ownAlerts, ownAlerts, otlp };
}

type SavedParts = Pick<Destinations, "opened" | "sink" | "prices" | "otlp"> & {
  readonly observer: Observer;
};

async function complete(
  ending: Ending | undefined,
  { observer, prices, opened, sink, otlp }: SavedParts,
) {
  // Meanwhile the rest is counted.
  otlp?.begin();
  await observer.finish(ending);
  prices.save();
  await Promise.all([opened.close(), sink.flush(recordFlushMaxMs), otlp?.close()]);
}

function knownCounts({ log }: MeteringOptions, env: Io["env"]): ExactCache {
  return new ExactCache(log === "off" ? undefined : exactCacheFile(env));
}

function labels({ command, server }: RunOptions) {
  const [program = ""] = command;
  return {
    command: basename(program),
    serverLabel: server,
    serverLabelFallback: serverLabel(command),
  };
}

type Destinations = Recording & {
  readonly opened: OpenGate;
  readonly alerts: AlertCommand | undefined;
  readonly ownAlerts: AlertCommand | undefined;
  readonly otlp: OtlpSink | undefined;
};

function listenerFor(
  { ledgers, sink, losses, running, opened, alerts, ownAlerts, otlp }: Destinations,
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
      ledgers.add(record);
      sink.take(record);
      otlp?.take(record);
      urgent.take(record);
      alerts?.take(record);
      if (record.type === "session") opened.nameServer(record.server);
    },
    ready: () => sink.ready(),
    dropped: losses.share(),
    flush: async () => {
      // Their failures are records too.
      await Promise.all([ownAlerts?.finish(), otlp?.flush()]);
      await sink.flush(recordFlushMaxMs);
    },
    failed: firstTime((where, what) => tell(httpSentences.observerFailed(where, what))),
  };
}

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

async function openTelemetry(
  { otlp }: Pick<RunOptions, "otlp">,
  env: Io["env"],
  report: ReportFault,
): Promise<OtlpSink | undefined> {
  if (!otlp) return undefined;
  const { openOtlp } = await import("#state/sinks/otlp/open-otlp.ts");
  return openOtlp(otlp, env, (what) =>
    report(runSentences.telemetryFailed(what), what, "telemetry"),
  );
}
