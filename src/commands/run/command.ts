import { basename } from "node:path";
import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { Ledger } from "#records/ledger.ts";
import { Meter } from "#session/meter.ts";
import { serverLabel } from "#session/server-label.ts";
import { findModel } from "#cost/models.ts";
import type { AlertRecord, MeterRecord } from "#records/record.ts";
import type { Summary } from "#records/summary.ts";
import { clientCutTokens } from "#storage/client-settings.ts";
import { Observer } from "#proxy/observer.ts";
import { PriceCache, priceCacheFile } from "#storage/price-cache.ts";
import { readerFor } from "../reader.ts";
import { newOverflowPath } from "#storage/state.ts";
import { mayColor, writeSummary } from "#os/output.ts";
import { sha256 } from "#os/sha256.ts";
import { wrap } from "#proxy/interpose.ts";
import { type Tell, Teller } from "#text/teller.ts";
import { createSink } from "#sinks/index.ts";
import { recordFlushMaxMs } from "#limits.ts";
import { version } from "#version.ts";
import type { Arguments } from "../command.ts";
import { recordTarget } from "./record-target.ts";
import { openGate } from "./gate.ts";
import { parseRunOptions, type RunOptions } from "./options.ts";

/** Stands in front of a server until it ends, then says what it cost. */
export async function run(args: Arguments, io: Io): Promise<Ending> {
  const options = parseRunOptions(args.options);
  const command = commandOf(args);
  const { tell } = new Teller(io.stderr);
  const sessionId = crypto.randomUUID();
  const ledger = new Ledger();
  const sink = createSink(options.log, {
    stderr: io.stderr,
    recordFile: (log) => recordTarget(log, options.isLogSynced, sessionId, io.env, tell),
  });
  const { model } = options;
  if (model !== undefined && !findModel(model)) tell(sentences.modelUnknown(model));
  const { gate, lock, close } = await openGate(options, sessionId, io.env, tell);
  // Who wants no records wants nothing of theirs kept.
  const isForgotten = options.log === "off";
  const prices = new PriceCache(isForgotten ? undefined : priceCacheFile(io.env), version);
  const meter = new Meter({
    version,
    sessionId,
    command: basename(command[0] ?? ""),
    serverLabel: options.server,
    serverLabelFallback: serverLabel(command),
    risk: options.risk,
    readerFor: readerFor(options),
    hash: sha256,
    prices,
    clientCutTokens: clientCutTokens(io.env),
    isAnnotating: options.isAnnotating,
    lock,
    gate,
    errorForm: options.errorForm,
  });
  const observer = new Observer(meter, {
    record: (record: MeterRecord) => {
      ledger.add(record);
      sink.take(record);
      if (record.type === "alert") tellAtOnce(record, tell);
    },
    ready: () => sink.ready(),
    dropped: () => sink.dropped,
    flush: () => sink.flush(recordFlushMaxMs),
    failed: once((where, what) => tell(sentences.observerFailed(where, what))),
  });
  const overflowPath = (): string => newOverflowPath(io.env);
  const ending = await wrap(command, observer, { ...io, overflowPath });
  await observer.finish(ending);
  prices.save();
  close();
  await sink.flush(recordFlushMaxMs);
  const summary = ledger.summarize();
  const isShown = options.summary !== "off" && summary.sessions > 0;
  if (isShown) await showSummary(summary, options, io, tell);
  else if (meter.foreignLines > 0) tell(sentences.foreignOutput());
  if (sink.dropped > 0) tell(sentences.recordsDropped(sink.dropped));
  const isForPerson = isShown && options.summary !== "json" && options.log === undefined;
  if (isForPerson && sink.path !== undefined) tell(`records in ${sink.path}`);
  return isBreached(summary, ending, options) ? { code: exitCodes.failed } : ending;
}

/** A budget that was enforced shows in the exit code, unless the server failed by itself. */
function isBreached(summary: Summary, ending: Ending, { exitCode }: RunOptions): boolean {
  const hasSucceeded = "code" in ending && ending.code === 0;
  return exitCode === "auto" && hasSucceeded && summary.enforced_breaches > 0;
}

/** What a person must know before the session ends: tools that are not as agreed, budgets for nobody. */
function tellAtOnce({ alert, tool, detail }: AlertRecord, tell: Tell): void {
  if (alert === "definitions_changed") tell(sentences.definitionDrifted(tool ?? "", detail));
  if (alert === "unknown_tool") tell(detail);
}

async function showSummary(
  summary: Summary,
  options: RunOptions,
  io: Io,
  tell: Tell,
): Promise<void> {
  const { summary: format, summaryFile } = options;
  if (format === "off") return;
  const { renderSummary } = await import("#renderers/summary.ts");
  const color = summaryFile === undefined && mayColor(io.stderr, io.env);
  writeSummary(renderSummary(format, summary, { color }), summaryFile, io.stderr, tell);
}

function commandOf({ child, operands }: Arguments): readonly string[] {
  const [first] = operands;
  if (first !== undefined) throw new UserError(sentences.commandUnknown(first));
  if (child === undefined || child.length === 0) throw new UserError(sentences.commandMissing());
  return child;
}

function once<Args extends readonly unknown[]>(
  act: (...args: Args) => void,
): (...args: Args) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    act(...args);
  };
}
