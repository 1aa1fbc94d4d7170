/** The stages of judging a call, each as a function that does nothing else. */
import type { Countable } from "#cost/countable.ts";
import { draftOverhead } from "#cost/overhead/overhead-draft.ts";
import { visibilityOfAnswer } from "#calls/answer-visibility.ts";
import { readingOf } from "#cost/reading.ts";
import { Ledger } from "#records/ledger.ts";
import type { MeterRecord } from "#records/record.ts";
import { FileSink } from "#sinks/file.ts";
import { recordJson } from "#sinks/sink.ts";
import { LineSplitter } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import {
  draftAll,
  eventOf,
  linesOf,
  messagesOf,
  newReader,
  openMeter,
  pair,
  recordsOf,
} from "./material.ts";
import type { SentChunk } from "./traffic.ts";

type Chunks = readonly SentChunk[];

/** A stage: makes its material of some traffic, and returns the act that is timed and runs once. */
export type Stage = { readonly name: string; readonly prepare: (chunks: Chunks) => () => void };

/** The stage that has a goal. */
export const judging = "judge";

/** All stages in the order of a call's life, then all of them together. */
export const stages: readonly Stage[] = [
  { name: "split", prepare: (chunks) => () => void linesOf(chunks) },
  { name: "parse", prepare: prepareParse },
  { name: "pair", prepare: preparePair },
  { name: "draft", prepare: prepareDraft },
  { name: "count", prepare: prepareCount },
  { name: "of it: overhead", prepare: prepareOverhead },
  { name: "record", prepare: prepareRecord },
  { name: "ledger", prepare: prepareLedger },
  { name: "JSON", prepare: prepareJson },
  { name: "sink, with JSON", prepare: prepareSink },
  { name: judging, prepare: prepareJudge },
  { name: "all", prepare: prepareAll },
];

function prepareParse(chunks: Chunks): () => void {
  const lines = linesOf(chunks);
  return () => {
    for (const { line } of lines) parseMessage(line);
  };
}

function preparePair(chunks: Chunks): () => void {
  const messages = messagesOf(chunks);
  return () => void pair(messages);
}

function prepareDraft(chunks: Chunks): () => void {
  const closed = pair(messagesOf(chunks));
  const reader = newReader();
  return () => void draftAll(closed, reader);
}

function prepareCount(chunks: Chunks): () => void {
  const drafts = draftAll(pair(messagesOf(chunks)), newReader());
  return () => {
    for (const { bill } of drafts) countAll(bill);
  };
}

function prepareOverhead(chunks: Chunks): () => void {
  const reader = newReader();
  const answers = pair(messagesOf(chunks)).map(({ call, closing }) =>
    visibilityOfAnswer(call.method, closing, readingOf(reader, call.asked)),
  );
  return () => {
    for (const answer of answers) {
      const overhead = draftOverhead(answer, reader.estimator);
      if (!overhead) continue;
      countAll(overhead);
      overhead.finish();
    }
  };
}

function prepareRecord(chunks: Chunks): () => void {
  const drafts = draftAll(pair(messagesOf(chunks)), newReader());
  for (const { bill } of drafts) countAll(bill);
  const common = { schema_version: "1.0", ts: "", session_id: "", seq: 0, server: "" } as const;
  return () => {
    for (const draft of drafts) draft.finish(common, false);
  };
}

function countAll(bill: Countable): void {
  while (bill.charactersLeft > 0) bill.advance(Infinity);
}

function prepareLedger(chunks: Chunks): () => void {
  const records = recordsOf(chunks);
  const ledger = new Ledger();
  return () => {
    for (const record of records) ledger.add(record);
  };
}

function prepareJson(chunks: Chunks): () => void {
  const records = recordsOf(chunks);
  return () => {
    for (const record of records) recordJson(record);
  };
}

function prepareSink(chunks: Chunks): () => void {
  const records = recordsOf(chunks);
  const sink = newSink();
  return () => {
    for (const record of records) sink.take(record);
    sink.save(true);
  };
}

function prepareJudge(chunks: Chunks): () => void {
  const lines = linesOf(chunks);
  const meter = openMeter();
  return () => {
    for (const sent of lines) meter.judge(eventOf(sent));
  };
}

function prepareAll(chunks: Chunks): () => void {
  const splitters = { client: new LineSplitter(), server: new LineSplitter() };
  const meter = openMeter();
  const ledger = new Ledger();
  const sink = newSink();
  const keep = (record: MeterRecord): void => {
    ledger.add(record);
    sink.take(record);
  };
  return () => {
    for (const { from, bytes } of chunks) {
      for (const line of splitters[from].push(bytes)) {
        for (const record of meter.judge(eventOf({ from, line })).records) keep(record);
      }
      sink.save(true);
    }
  };
}

/** A sink whose file takes the bytes and keeps none: the write itself is the kernel's. */
function newSink(): FileSink {
  return new FileSink(() => ({ path: "", gatherMs: 50, append, appendNow }));
}

function append(lines: string): Promise<number> {
  return Promise.resolve(appendNow(lines));
}

function appendNow(lines: string): number {
  return Buffer.from(lines).length;
}
