import { pricedMethods, replayForClient } from "../client-model.ts";
import {
  at,
  isBeyondReading,
  isClear,
  type Json,
  splitLines,
  listAt,
  type Reading,
  readMessages,
} from "../reading.ts";
import type { Oracle, Transcript } from "../transcript.ts";

export const records: Oracle = (transcript) => {
  const { records: text, ending, stalled, set } = transcript;
  if (set.log === "off") return text === undefined ? [] : ["there are records despite --log off"];
  if (text === undefined || (text === "" && set.log === "file")) return findAbsence(transcript);
  const parsed = sortBySequence(text.split("\n").slice(0, -1).map(parse));
  const isForced = ending.kind === "kill" || stalled !== undefined;
  return [
    ...(text.endsWith("\n") || isForced ? [] : ["the last record is incomplete"]),
    ...(parsed.includes(undefined) ? ["a record is not JSON"] : []),
    ...(isForced ? [] : checkNumbering(parsed)),
    ...findFaults(parsed),
    ...(isForced ? [] : [...checkOrder(parsed), ...checkCalls(parsed, transcript)]),
  ];
};

export const sums: Oracle = ({ records: text, summary, ending, stalled }) => {
  if (ending.kind === "kill" || stalled !== undefined) return [];
  if (text === undefined || text === "") return [];
  const all = sortBySequence(
    text.split("\n").flatMap((line) => (line === "" ? [] : [parse(line)])),
  );
  const calls = all.filter((record) => at(record, "type") === "call");
  const tokens = calls.reduce<number>((sum, call) => sum + Number(at(call, "total_tokens")), 0);
  const end = all.at(-1);
  const total = summary === undefined ? undefined : parse(summary);
  const rows = listAt(total, "tools");
  const sumOf = (name: string): number =>
    rows.reduce<number>((sum, row) => sum + Number(at(row, name)), 0);
  const pairs: readonly (readonly [string, unknown, number])[] = [
    ["end.calls", at(end, "calls"), calls.length],
    ["end.total_tokens", at(end, "total_tokens"), tokens],
    ["summary.total.calls", at(total, "total", "calls"), calls.length],
    ["summary.total.total_tokens", at(total, "total", "total_tokens"), tokens],
    ["the calls of summary.tools", sumOf("calls"), calls.length],
    ["the tokens of summary.tools", sumOf("total_tokens"), tokens],
  ];
  return pairs
    .filter(([, value, expected]) => value !== expected)
    .map(
      ([name, value, expected]) => `${name} is ${String(value)}, the call records have ${expected}`,
    );
};

function sortBySequence(all: readonly Json[]): readonly Json[] {
  return all.toSorted((a, b) => Number(at(a, "seq")) - Number(at(b, "seq")));
}

function findAbsence(transcript: Transcript): readonly string[] {
  const isExcused = transcript.ending.kind === "kill" || transcript.stalled !== undefined;
  const { calls } = replayForClient(transcript);
  return isExcused || calls.length === 0 ? [] : [`no records of ${calls.length} calls`];
}

function checkNumbering(all: readonly Json[]): readonly string[] {
  const firstGap = all.findIndex((record, index) => at(record, "seq") !== index);
  return firstGap < 0 ? [] : [`record ${firstGap} has seq ${String(at(all[firstGap], "seq"))}`];
}

function checkOrder(all: readonly Json[]): readonly string[] {
  const types = all.map((record) => at(record, "type"));
  return [
    ...(types[0] === "session" ? [] : [`the first record is ${String(types[0])}`]),
    ...(types.at(-1) === "end" ? [] : [`the last record is ${String(types.at(-1))}`]),
  ];
}

function findFaults(all: readonly Json[]): readonly string[] {
  // Only the last `end` counts: earlier ones are checkpoints, whose records were still being written.
  return all.flatMap((record, index) => {
    const type = at(record, "type");
    if (type === "fault") {
      if (isNotJudged(record)) return [];
      return [`fault: ${String(at(record, "what"))} in ${String(at(record, "where"))}`];
    }
    if (type !== "end" || index < all.length - 1) return [];
    return ["observer_faults", "dropped_records"]
      .filter((name) => at(record, name) !== 0)
      .map((name) => `end.${name} is ${String(at(record, name))}`);
  });
}

function isNotJudged(record: Json): boolean {
  return at(record, "type") === "fault" && at(record, "what") === "not_judged";
}

function checkCalls(all: readonly Json[], transcript: Transcript): readonly string[] {
  if (all.some(isNotJudged)) return [];
  const found = all.filter((record) => at(record, "type") === "call").length;
  const { calls, resumed, nested, redelivered } = replayForClient(transcript);
  const [sent, asking] = [splitLines(transcript.serverSent), splitLines(transcript.clientSent)];
  const lines = [...sent, ...asking];
  const { isGating } = transcript.set;
  const samplings = readAllMessages(lines).filter(isSampling).length;
  const doubtful = isGating
    ? [
        ...sent.filter((line) => isClear(line, "server") !== true),
        ...asking.filter((line) => isClear(line, "client") !== true),
      ]
    : [];
  const unclear = readAllMessages(doubtful).filter(
    (message) => isSampling(message) || isPriced(message),
  ).length;
  const expected = calls.length + nested + samplings + redelivered;
  // An unclear line may hide a request for input or a task, whose continuation is another call.
  const tasks = lines.filter((line) => line.includes('"taskId"')).length;
  const isDoubted = lines.some(isUncertain) || readAllMessages(doubtful).some(isPricedOrAnswer);
  const isRight = isDoubted
    ? found >= expected - nested - redelivered - unclear && found <= expected + resumed + tasks
    : found === expected;
  return isRight ? [] : [`${found} call records of ${expected} calls`];
}

function readAllMessages(lines: readonly Buffer[]): readonly Reading[] {
  return lines.flatMap(readMessages);
}

function isSampling({ kind, method }: Reading): boolean {
  return kind === "request" && method === "sampling/createMessage";
}

function isPricedOrAnswer(message: Reading): boolean {
  return message.kind === "answer" || isSampling(message) || isPriced(message);
}

function isPriced({ method }: Reading): boolean {
  return pricedMethods.has(method);
}

function isUncertain(line: Uint8Array): boolean {
  const messages = readMessages(line);
  const isBoth = messages.some(({ result, error }) => result !== undefined && error !== undefined);
  return isBoth || messages.length === 0 || isBeyondReading(line);
}

function parse(line: string): Json {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
