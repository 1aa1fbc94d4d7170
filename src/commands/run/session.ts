import { basename } from "node:path";
import type { AlertCommand } from "#state/alerting/alert-command.ts";
import type { Ending, Io } from "#kit/io.ts";
import { sha256 } from "#kit/os/hash.ts";
import { type Listener, Observer } from "#transport/proxy/observer.ts";
import type { MeterOptions } from "#meter/session/event.ts";
import { Meter } from "#meter/session/meter.ts";
import { makeServerLabel } from "#meter/session/server-label.ts";
import type { OtlpSink } from "#state/sinks/otlp/otlp-sink.ts";
import { ExactCache, locateExactCache } from "#state/makers/exact-cache.ts";
import type { Tell } from "#kit/text/teller.ts";
import { version } from "#kit/version.ts";
import type { ParseShort } from "#wire/parse-message.ts";
import { makeExactChooser } from "../exact-option.ts";
import { createReaderChooser } from "../reader-chooser.ts";
import {
  FaultReporter,
  findBudgetUser,
  findCounterOwner,
  type ReportFault,
  type OpenCounters,
  openGate,
  type OpenGate,
} from "./open-gate.ts";
import { chooseMachineToRecord } from "#state/storage/identity/machine-id.ts";
import type { MeteringOptions, RunOptions } from "./options.ts";
import type { Preparation } from "./preparation.ts";
import { openRecording, type Recording, collectResult, type SessionResult } from "./recording.ts";
import { runSentences } from "./sentences.ts";
import { formatBreachUse } from "#records/summary.ts";
import type { AlertRecord, BreachRecord, MeterRecord } from "#records/record.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { commonSentences } from "#kit/sentences.ts";
import { findHomeFolder, findStateFolder } from "#state/storage/folders.ts";
import { refusalNameCharactersMax } from "#meter/actions/refusal.ts";
import { recordFlushMaxMs } from "#state/sinks/record-queue.ts";

export type OpenSession = {
  readonly observer: Observer;
  readonly close: (ending: Ending) => Promise<SessionResult>;
};

export async function openSession(
  options: RunOptions,
  preparation: Preparation,
  io: Pick<Io, "env" | "stderr" | "platform" | "signals" | "parentPid">,
  tell: Tell,
): Promise<OpenSession> {
  const id = crypto.randomUUID();
  const recording = await openRecording(options, preparation, { ...io, id }, tell);
  const parts = { options, preparation, recording, id, server: labelServer(options) };
  const { observer, meter, close } = await meterSession(parts, io, tell);
  return {
    observer,
    close: async (ending) => {
      await close(ending);
      return collectResult(recording, meter.foreignLineCount);
    },
  };
}

export type SessionParts = {
  /** In shared counters, `command` identifies a server that has no name. */
  readonly options: MeteringOptions & Pick<RunOptions, "command">;
  readonly preparation: Pick<Preparation, "lock" | "spillFolder" | "calibration" | "callPrices">;
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
  readonly meter: Pick<Meter, "foreignLineCount">;
  readonly close: (ending?: Ending) => Promise<void>;
};

export async function meterSession(
  { options, preparation, recording, id, server, openCounters, sharedAlerts }: SessionParts,
  io: Pick<Io, "env" | "platform" | "signals">,
  tell: Tell,
): Promise<MeteredSession> {
  const { env } = io;
  const { lock, spillFolder, calibration, callPrices } = preparation;
  const faults = new FaultReporter(tell);
  const setting = { options, sessionId: id, env, spillFolder, callPrices, openCounters };
  const opened = await openGate(setting, faults.report);
  const meter = new Meter({
    ...options,
    version,
    sessionId: id,
    ...server,
    machine: () => chooseMachineToRecord(options, env),
    user: nameRecordedUser(options, env),
    readerFor: makeExactChooser(
      createReaderChooser({ ...options, calibration }, env),
      new ExactCache(options.log === "off" ? undefined : locateExactCache(env)),
    ),
    hash: sha256,
    parseShortText: createShortParser(),
    definitionCache: recording.definitionCache,
    listPrices: recording.priceBook,
    lock,
    gate: opened.gate,
  });
  const receivers = await openAlertsAndTelemetry({ ...options, sharedAlerts }, io, faults);
  const destinations = { ...recording, opened, ...receivers };
  const observer = new Observer(meter, createListener(destinations, tell));
  opened.subscribe?.(() => observer.noteCounterAnswers());
  faults.recordWith(({ where, what }) => observer.noteFault(where, what));
  for (const what of options.configFaults) observer.noteFault("config", what);
  return {
    observer,
    meter,
    close: (ending) => finishSession(ending, { observer, ...destinations }),
  };
}

function nameRecordedUser(options: SessionParts["options"], env: Io["env"]): string | undefined {
  const { name, isRecorded } = findBudgetUser(options, env);
  return isRecorded ? name : undefined;
}

// `JSON.parse` is faster than `Bun.JSONL` unless it throws. So after an error, `Bun.JSONL` is used until a text
// is JSON again.
function createShortParser(): ParseShort {
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

async function openAlertsAndTelemetry(
  { sharedAlerts, ...options }: SessionParts["options"] & Pick<SessionParts, "sharedAlerts">,
  io: Pick<Io, "env" | "platform" | "signals">,
  { report }: FaultReporter,
): Promise<Pick<Destinations, "alerts" | "sessionAlerts" | "otlp">> {
  const sessionAlerts = sharedAlerts ? undefined : await openAlerts(options, io, report);
  const otlp = await openTelemetry(options, io.env, report);
  return { alerts: sharedAlerts ?? sessionAlerts, sessionAlerts, otlp };
}

type PartsToFinish = Pick<Destinations, "opened" | "sink" | "definitionCache" | "otlp"> & {
  readonly observer: Observer;
};

async function finishSession(
  ending: Ending | undefined,
  { observer, definitionCache, opened, sink, otlp }: PartsToFinish,
) {
  otlp?.startExport();
  await observer.finish(ending);
  definitionCache.save();
  await Promise.all([opened.close?.(), sink.flush(recordFlushMaxMs), otlp?.close()]);
}

function labelServer({ command, server }: RunOptions) {
  const [program = ""] = command;
  return {
    command: basename(program),
    serverLabel: server,
    serverLabelFallback: makeServerLabel(command),
  };
}

type Destinations = Recording & {
  readonly opened: OpenGate;
  readonly alerts: AlertCommand | undefined;
  /** The same as `alerts`, but undefined if other sessions share them: one session must not finish them. */
  readonly sessionAlerts: AlertCommand | undefined;
  readonly otlp: OtlpSink | undefined;
};

function createListener(
  { ledgers, sink, losses, running, opened, alerts, sessionAlerts, otlp }: Destinations,
  tell: Tell,
): Listener {
  const urgent = new UrgentNotices(tell);
  let hasFailed = false;
  return {
    save: (isLeaving) => {
      sink.save(isLeaving);
      running.save();
      opened.save?.();
      if (isLeaving) otlp?.startExport();
    },
    record: (record) => {
      ledgers.add(record);
      sink.take(record);
      otlp?.take(record);
      urgent.take(record);
      alerts?.take(record);
      if (record.type === "session") opened.nameServer?.(record.server);
    },
    whenReady: () => sink.ready(),
    dropped: losses.makeCounter(),
    flush: async () => {
      // Alerts and telemetry come first, because their failures become records.
      await Promise.all([sessionAlerts?.finish(), otlp?.flush()]);
      await sink.flush(recordFlushMaxMs);
    },
    failed: (where, what) => {
      if (!hasFailed) tell(commonSentences.meteringFailed(where, what));
      hasFailed = true;
    },
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

export const budgetLinesToldMax = 100;

/** Prints urgent records at once, even if no records are saved and no summary is printed. */
export class UrgentNotices {
  readonly #tell: Tell;
  #budgetLines = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  take(record: MeterRecord): void {
    if (record.type === "alert") this.#tellAlert(record);
    if (record.type !== "breach") return;
    // The model learns of a refused call, but not of a withheld message that the server pushed.
    const mustTell = !record.is_enforced || record.method !== undefined;
    if (mustTell) this.#tellBudget(describeBreach(record));
  }

  #tellAlert({ alert, tool, budget, limit, value, detail }: AlertRecord): void {
    if (alert === "definitions_changed") {
      this.#tell(runSentences.definitionDrifted(tool ?? "", detail));
    }
    if (alert === "unknown_tool") this.#tell(detail);
    if (alert !== "budget_warning" || budget === null || limit === null || value > limit) return;
    const percent = Math.floor((100 * value) / limit);
    const describe = isPerCall(budget)
      ? runSentences.callBudgetNearlyUsed
      : runSentences.budgetNearlySpent;
    this.#tellBudget(describe(budget, percent, describeSpender(budget, tool)));
  }

  #tellBudget(sentence: string): void {
    if (this.#budgetLines >= budgetLinesToldMax) return;
    this.#budgetLines += 1;
    this.#tell(sentence);
    if (this.#budgetLines === budgetLinesToldMax) this.#tell(runSentences.budgetLinesEnd());
  }
}

// A budget is written as `[TOOL=]LIMIT[/PER[/OWNER]][:ACTION]`.
function isPerCall(budget: string): boolean {
  const [amount = ""] = budget.slice(budget.lastIndexOf("=") + 1).split(":");
  const [, per = "call"] = amount.split("/");
  return per === "call";
}

function describeSpender(budget: string, tool: string | null): string {
  if (tool === null || budget.startsWith(`${tool}=`)) return "";
  return makeSafeName(tool, refusalNameCharactersMax);
}

function describeBreach(breach: BreachRecord): string {
  const { budget, tool, method, is_enforced: isWithheld } = breach;
  const use = formatBreachUse(breach);
  if (method !== undefined) return runSentences.pushExceeded(budget, method, use, isWithheld);
  const name = tool === null ? "a call" : makeSafeName(tool, refusalNameCharactersMax);
  return runSentences.budgetExceeded(budget, name, use);
}

export async function openAlerts(
  options: MeteringOptions & Pick<RunOptions, "command">,
  io: Pick<Io, "env" | "platform" | "signals">,
  report: ReportFault,
): Promise<AlertCommand | undefined> {
  const { onAlert: command, redis } = options;
  if (command === undefined) return undefined;
  const alerting = await import("#state/alerting/alert-command.ts");
  const { findSharedAlert, openAlertClaims } = await import("#state/alerting/shared-alerts.ts");
  const folder = findStateFolder(io.env);
  const { name: user } = findBudgetUser(options, io.env);
  const setting = { ...options, counterOwner: findCounterOwner(options, folder), user };
  return new alerting.AlertCommand({
    command,
    home: findHomeFolder(io.env),
    start: (shell) => alerting.startShell(shell, io),
    reportFailure: (sentence, what) => report(sentence, what, "alert command"),
    claims: openAlertClaims(folder, redis),
    findShared: (record) => findSharedAlert(record, setting),
  });
}
