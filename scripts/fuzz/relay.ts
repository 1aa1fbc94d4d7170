// The fake server: hands its stdin to the fuzzer and does what the fuzzer orders. Its argument is a socket's path.
import { closeSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { FrameReader, frame } from "./frames.ts";

const [socketPath = ""] = process.argv.slice(2);
const socket = connect(socketPath);
const reader = new FrameReader();

socket.on("connect", () => socket.write(frame("hello", Buffer.from(String(process.pid)))));
socket.on("data", (chunk) => {
  for (const { kind, payload } of reader.push(Buffer.from(chunk))) obey(kind, payload);
});
// Without the fuzzer nothing is left to do.
socket.on("close", () => process.exit(9));
socket.on("error", () => process.exit(9));

process.stdin.on("data", (chunk: Buffer) => socket.write(frame("data", chunk)));
process.stdin.on("end", () => socket.write(frame("end")));
process.stdin.on("error", () => socket.write(frame("end")));

function obey(kind: string, payload: Buffer): void {
  if (kind === "data") writeAll(payload);
  if (kind === "end") closeSync(1);
  if (kind === "exit") process.exit(Number(payload.toString()));
  if (kind === "signal") process.kill(process.pid, payload.toString());
}

/** Writes everything, however slow the reader is; a pipe without a reader takes nothing. */
function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
      Bun.sleepSync(1);
    }
  }
}
