/** A server that answers each request at once and in order: calls, pings, a listing, the handshake. */
import { readSync, writeSync } from "node:fs";
import { comma, newline, doubleQuote } from "#kit/text/ascii.ts";
import {
  callAnswer,
  initializeAnswer,
  linePrefix,
  listAnswer,
  longAnswerLine,
  pingAnswer,
} from "../messages.ts";

const lineBytesMax = 256 * 1024;
const answerBytesMax = 1024;
const batchBytes = 64 * 1024;
const retryMs = 1;
const methodOffset = ',"method":"'.length;
const longAnswerBytes = Number(process.argv[2] ?? 0);

const answers: ReadonlyMap<string, Buffer> = new Map([
  ["tools/call", Buffer.from(callAnswer)],
  ["ping", Buffer.from(pingAnswer)],
  ["tools/list", Buffer.from(listAnswer)],
  ["initialize", Buffer.from(initializeAnswer)],
]);
const pause = new Int32Array(new SharedArrayBuffer(4));
const batch = Buffer.allocUnsafe(batchBytes + answerBytesMax);
let batched = 0;

answerInput();

function answerInput(): void {
  const bytes = Buffer.allocUnsafe(lineBytesMax);
  let filled = 0;
  for (;;) {
    const read = retry(() => readSync(0, bytes, filled, bytes.length - filled, null));
    if (read === 0) return;
    filled += read;
    const whole = bytes.subarray(0, filled);
    let start = 0;
    for (let end = whole.indexOf(newline); end >= 0; end = whole.indexOf(newline, start)) {
      answerLine(bytes, start);
      start = end + 1;
    }
    bytes.copyWithin(0, start, filled);
    filled -= start;
    flush();
  }
}

/** Notifications have no comma where a request has its id's end, so their "method" is unknown. */
function answerLine(bytes: Buffer, start: number): void {
  const idStart = start + linePrefix.length;
  const idEnd = bytes.indexOf(comma, idStart);
  const method = idEnd + methodOffset;
  const answer = answers.get(bytes.toString("latin1", method, bytes.indexOf(doubleQuote, method)));
  if (answer === undefined) return;
  if (longAnswerBytes > 0) {
    const id = Number(bytes.toString("latin1", idStart, idEnd));
    writeAll(longAnswerLine(id, longAnswerBytes));
    return;
  }
  batched += bytes.copy(batch, batched, start, idEnd);
  batched += answer.copy(batch, batched);
  if (batched >= batchBytes) flush();
}

function flush(): void {
  writeAll(batch.subarray(0, batched));
  batched = 0;
}

function writeAll(bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    written += retry(() => writeSync(1, bytes, written, bytes.length - written));
  }
}

/** Retries a full or empty pipe a little later, because a wrapper may pass us non-blocking pipes. */
function retry(attempt: () => number): number {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, retryMs);
    }
  }
}
