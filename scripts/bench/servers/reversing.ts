/** A server that waits until `argv[2]` calls are open and then answers them, the last one first. */
import { CALL_ANSWER, LINE_PREFIX, READY_LINE } from "../messages.ts";
import { eachLine } from "./lines.ts";
import { writeAll } from "./stdio.ts";

const COMMA = 0x2c;
const callsMax = Number(process.argv[2]);
const ids: string[] = [];

writeAll(Buffer.from(READY_LINE));
eachLine(holdCall, answerAll);

function holdCall(bytes: Buffer, start: number): void {
  const idStart = start + LINE_PREFIX.length;
  ids.push(bytes.toString("latin1", idStart, bytes.indexOf(COMMA, idStart)));
}

function answerAll(): void {
  if (ids.length < callsMax) return;
  const lines = ids.toReversed().map((id) => LINE_PREFIX + id + CALL_ANSWER);
  ids.length = 0;
  writeAll(Buffer.from(lines.join("")));
}
