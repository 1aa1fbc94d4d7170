/** A server that answers whatever it reads with one line of `argv[2]` bytes, as the result of call 1. */
import { longAnswerLine, readyLine } from "../messages.ts";
import { readSome, writeAll } from "./stdio.ts";

const line = longAnswerLine(1, Number(process.argv[2]));
const request = Buffer.alloc(4096);

writeAll(Buffer.from(readyLine));
while (readSome(request, 0) > 0) writeAll(line);
