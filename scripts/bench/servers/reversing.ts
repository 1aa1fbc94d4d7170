/** A server that waits until `argv[2]` calls are open and then answers them, the last one first. */
import { comma } from "#wire/ascii.ts";
import { callAnswer, linePrefix, readyLine } from "../messages.ts";
import { eachLine } from "./lines.ts";
import { writeAll } from "./stdio.ts";

const callsMax = Number(process.argv[2]);
const ids: string[] = [];

writeAll(Buffer.from(readyLine));
eachLine(holdCall, answerAll);

function holdCall(bytes: Buffer, start: number): void {
  const idStart = start + linePrefix.length;
  ids.push(bytes.toString("latin1", idStart, bytes.indexOf(comma, idStart)));
}

function answerAll(): void {
  if (ids.length < callsMax) return;
  const lines = ids.toReversed().map((id) => linePrefix + id + callAnswer);
  ids.length = 0;
  writeAll(Buffer.from(lines.join("")));
}
