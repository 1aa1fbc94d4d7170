/** A server that reads `argv[2]` bytes, answers with one line, and starts to count anew. */
import { pingAnswerLine, readyLine } from "../messages.ts";
import { readSome, writeAll } from "./stdio.ts";

const bytesWanted = Number(process.argv[2]);
const chunk = Buffer.allocUnsafe(1024 * 1024);
let bytesRead = 0;

writeAll(Buffer.from(readyLine));
for (let read = readSome(chunk, 0); read > 0; read = readSome(chunk, 0)) {
  bytesRead += read;
  if (bytesRead < bytesWanted) continue;
  bytesRead -= bytesWanted;
  writeAll(Buffer.from(pingAnswerLine(1)));
}
