import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { has } from "./needs.ts";
import { eventually } from "./wait.ts";

export function hasRedis(rows: string): boolean {
  return has("redis-server", rows);
}

/** A Redis of a test's own, on a port of its own of the loopback: `await using redis = await RedisServer.start()`. */
export class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly #under: readonly string[];
  readonly #flags: readonly string[];
  readonly folder = mkdtempSync(join(tmpdir(), "mcp-meter-redis-"));
  #child: Bun.Subprocess<"ignore", "pipe", "ignore"> | undefined;

  private constructor(under: readonly string[], flags: readonly string[]) {
    this.port = freePort();
    this.#under = under;
    this.#flags = flags;
  }

  static start(...flags: readonly string[]): Promise<RedisServer> {
    return RedisServer.startUnder([], ...flags);
  }

  /** The same, started by another program; `{dir}` in its words is the folder of the Redis. */
  static async startUnder(
    under: readonly string[],
    ...flags: readonly string[]
  ): Promise<RedisServer> {
    if (Bun.which("redis-server") === null)
      throw new Error("redis-server is missing: apt-get install redis-server");
    for (;;) {
      const server = new RedisServer(under, flags);
      try {
        await server.restart();
        return server;
      } catch (error) {
        await server[Symbol.asyncDispose]();
        // A node of a cluster listens on a second port, 10,000 above: systems give that one to whoever asks for any.
        if (!String(error).includes("Address already in use")) throw error;
      }
    }
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const place = ["--port", `${this.port}`, "--bind", "127.0.0.1", "--dir", this.folder];
    const under = this.#under.map((word) => word.replaceAll("{dir}", this.folder));
    const child = Bun.spawn([...under, "redis-server", ...place, "--save", "", ...this.#flags], {
      stdin: "ignore",
      stdout: "pipe",
      // A pipe that it inherits stays open until it ends.
      stderr: "ignore",
    });
    this.#child = child;
    let log = "";
    const read = (async () => {
      for await (const chunk of child.stdout) log += new TextDecoder().decode(chunk);
    })();
    await eventually(
      () => `Redis is ready: ${log}`,
      async () => {
        if (child.exitCode !== null) {
          await read;
          throw new Error(`Redis ended: ${log}`);
        }
        return log.includes("Ready to accept connections");
      },
    );
  }

  signal(name: NodeJS.Signals): void {
    if (this.#child) process.kill(this.#child.pid, name);
  }

  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
  }

  ask(...words: readonly string[]): readonly string[] {
    const run = Bun.spawnSync(["redis-cli", "-p", `${this.port}`, ...words], { timeout: 10_000 });
    return run.stdout.toString().trimEnd().split("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class FakeRedis implements AsyncDisposable {
  readonly port: number;
  received = "";
  readonly #sockets = new Set<Socket>();
  readonly #close: () => void;

  private constructor(port: number, close: () => void) {
    this.port = port;
    this.#close = close;
  }

  static async start(answer: (socket: Socket, chunks: number) => void): Promise<FakeRedis> {
    const server = createServer();
    const port = await listening(server);
    const fake = new FakeRedis(port, () => void server.close());
    server.on("connection", (socket) => fake.#serve(socket, answer));
    return fake;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  #serve(socket: Socket, answer: (socket: Socket, chunks: number) => void): void {
    let chunks = 0;
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      this.received += bytes.toString();
      chunks += 1;
      answer(socket, chunks);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#close();
    await Promise.resolve();
  }
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return address.port;
}
