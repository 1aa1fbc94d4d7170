// Stands between a client and a server and writes down what each says, before passing it on:
// bun golden-tee.ts FOLDER -- command [args…]
// Each process writes its own file, named by when it started, because some clients start two.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { SpokenLine } from "./golden.ts";

const [folder = ".", , ...argv] = process.argv.slice(2);
const started = performance.now();
const file = join(folder, `${Date.now()}-${process.pid}.ndjson`);

function scribe(from: SpokenLine["from"]): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    const atMs = Math.round(performance.now() - started);
    for (const line of lines) {
      appendFileSync(file, `${JSON.stringify({ at_ms: atMs, from, line } satisfies SpokenLine)}\n`);
    }
  };
}

async function listen(): Promise<void> {
  const note = scribe("client");
  for await (const chunk of Bun.stdin.stream()) {
    note(chunk);
    void server.stdin.write(chunk);
    await server.stdin.flush();
  }
  await server.stdin.end();
}

async function speak(): Promise<void> {
  const note = scribe("server");
  for await (const chunk of server.stdout) {
    note(chunk);
    await Bun.write(Bun.stdout, chunk);
  }
}

const server = Bun.spawn(argv, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
process.on("SIGTERM", () => server.kill("SIGTERM"));
void listen();
await speak();
process.exit(await server.exited);
