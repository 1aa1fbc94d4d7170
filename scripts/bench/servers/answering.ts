/** A server that answers each request at once and in order: calls, pings, a listing, the handshake. */
import { comma, quote } from "#wire/ascii.ts";
import { callAnswer, initializeAnswer, linePrefix, listAnswer, pingAnswer } from "../messages.ts";
import { eachLine } from "./lines.ts";
import { writeAll } from "./stdio.ts";

const answerBytesMax = 1024;
const batchBytes = 64 * 1024;
const methodOffset = ',"method":"'.length;

const answers: ReadonlyMap<string, Buffer> = new Map([
  ["tools/call", Buffer.from(callAnswer)],
  ["ping", Buffer.from(pingAnswer)],
  ["tools/list", Buffer.from(listAnswer)],
  ["initialize", Buffer.from(initializeAnswer(process.pid))],
]);
const batch = Buffer.allocUnsafe(batchBytes + answerBytesMax);
let batched = 0;

eachLine(answerLine, flush);

/** Notifications have no comma where a request has its id's end, so their "method" is unknown. */
function answerLine(bytes: Buffer, start: number): void {
  const idEnd = bytes.indexOf(comma, start + linePrefix.length);
  const method = idEnd + methodOffset;
  const answer = answers.get(bytes.toString("latin1", method, bytes.indexOf(quote, method)));
  if (answer === undefined) return;
  batched += bytes.copy(batch, batched, start, idEnd);
  batched += answer.copy(batch, batched);
  if (batched >= batchBytes) flush();
}

function flush(): void {
  writeAll(batch.subarray(0, batched));
  batched = 0;
}
