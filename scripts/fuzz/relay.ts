import { closeSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

export type Order = {
  readonly kind: "hello" | "data" | "end" | "exit" | "signal";
  readonly value?: string;
};

if (import.meta.main) relay(process.argv[2] ?? "");

function relay(socketPath: string): void {
  const socket = connect(socketPath);
  const tell = (order: Order): void => void socket.write(`${JSON.stringify(order)}\n`);
  socket.on("connect", () => tell({ kind: "hello", value: String(process.pid) }));
  createInterface({ input: socket }).on("line", (line) => obey(JSON.parse(line)));
  socket.on("close", () => process.exit(9));
  socket.on("error", () => process.exit(9));
  process.stdin.on("data", (chunk: Buffer) =>
    tell({ kind: "data", value: chunk.toString("base64") }),
  );
  process.stdin.on("end", () => tell({ kind: "end" }));
  process.stdin.on("error", () => tell({ kind: "end" }));
}

function obey({ kind, value = "" }: Order): void {
  if (kind === "data") writeAll(Buffer.from(value, "base64"));
  if (kind === "end") closeSync(1);
  if (kind === "exit") process.exit(Number(value));
  if (kind === "signal") process.kill(process.pid, value);
}

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
