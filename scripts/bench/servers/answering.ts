/** A server that answers each request at once and in order: calls, pings, a listing, the handshake. */
import {
  CALL_ANSWER,
  initializeAnswer,
  LINE_PREFIX,
  LIST_ANSWER,
  PING_ANSWER,
} from "../messages.ts";
import { eachLine } from "./lines.ts";
import { writeAll } from "./stdio.ts";

const ANSWER_BYTES_MAX = 1024;
const BATCH_BYTES = 64 * 1024;
const COMMA = 0x2c;
const QUOTE = 0x22;
const METHOD_OFFSET = ',"method":"'.length;

const answers: ReadonlyMap<string, Buffer> = new Map([
  ["tools/call", Buffer.from(CALL_ANSWER)],
  ["ping", Buffer.from(PING_ANSWER)],
  ["tools/list", Buffer.from(LIST_ANSWER)],
  ["initialize", Buffer.from(initializeAnswer(process.pid))],
]);
const batch = Buffer.allocUnsafe(BATCH_BYTES + ANSWER_BYTES_MAX);
let batched = 0;

eachLine(answerLine, flush);

/** Notifications have no comma where a request has its id's end, so their "method" is unknown. */
function answerLine(bytes: Buffer, start: number): void {
  const idEnd = bytes.indexOf(COMMA, start + LINE_PREFIX.length);
  const method = idEnd + METHOD_OFFSET;
  const answer = answers.get(bytes.toString("latin1", method, bytes.indexOf(QUOTE, method)));
  if (answer === undefined) return;
  batched += bytes.copy(batch, batched, start, idEnd);
  batched += answer.copy(batch, batched);
  if (batched >= BATCH_BYTES) flush();
}

function flush(): void {
  writeAll(batch.subarray(0, batched));
  batched = 0;
}
