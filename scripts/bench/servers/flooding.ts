/** A server that writes `argv[2]` notification lines of `argv[3]` bytes as soon as it is asked anything. */
import { notificationLine, readyLine } from "../messages.ts";
import { readSome, writeAll } from "./stdio.ts";

const lines = Number(process.argv[2]);
const line = Buffer.from(notificationLine(Number(process.argv[3])));
const request = Buffer.alloc(4096);

writeAll(Buffer.from(readyLine));
while (readSome(request, 0) > 0) {
  for (let written = 0; written < lines; written++) writeAll(line);
}
