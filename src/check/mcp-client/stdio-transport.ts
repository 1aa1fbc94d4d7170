import type { Io } from "#kit/io.ts";
import { type Traffic } from "./traffic.ts";
import { foreignLinesMax } from "./failure.ts";
import { LineSplitter, type Line } from "#wire/line.ts";
import type { ServerTransport } from "./server-transport.ts";
import { type ServerLife, type ServerStart, StdioServer } from "./stdio-server.ts";

/** One JSON-RPC message per line. The SDK recognises a stdio transport by `stderr` and `pid`. */
export class StdioTransport implements ServerTransport {
  readonly traffic: Traffic;
  readonly #server: StdioServer;
  #reading: Promise<void> = Promise.resolve();
  onmessage: ((message: unknown) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;

  constructor(start: ServerStart, io: Pick<Io, "platform" | "signals">, traffic: Traffic) {
    this.#server = new StdioServer(start, io);
    this.traffic = traffic;
  }

  get pid(): number | null {
    return this.#server.pid;
  }

  get stderr(): null {
    return null;
  }

  get life(): ServerLife {
    return this.#server.life;
  }

  get exit(): string | undefined {
    return this.#server.exit;
  }

  get isToBeAskedAgain(): boolean {
    return this.life === "ended-by-itself";
  }

  async start(): Promise<void> {
    this.#server.start();
    this.#reading = this.#readAll();
    // A failure surfaces in `close`. Until that is called, it must not end our process.
    this.#reading.catch(() => undefined);
  }

  async send(message: unknown): Promise<void> {
    await this.#server.write(this.traffic.sent(message));
  }

  explained(error: unknown): unknown {
    return error;
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#reading;
  }

  async kill(): Promise<void> {
    this.#server.kill();
    await this.close();
  }

  async #readAll(): Promise<void> {
    const splitter = new LineSplitter();
    try {
      for await (const chunk of this.#server.output()) {
        for (const line of splitter.push(chunk)) {
          this.#take(line);
          // One chunk may hold a quarter of a million lines.
          if (this.traffic.foreignLines > foreignLinesMax) return;
        }
      }
      const last = splitter.end();
      if (last) this.#take(last);
      // A server that closes stdout usually exits: then its exit status says why.
      if (this.life === "ended-by-itself") await this.#server.exitsSoon();
    } finally {
      // Ends a server whose output we do not read any more, and changes nothing for one that has ended.
      if (this.life === "running") this.#server.kill();
      this.onclose?.();
    }
  }

  #take(line: Line): void {
    for (const message of this.traffic.received(line)) this.#deliver(message);
  }

  /** Skips a message that the SDK throws at, as its own transport does. */
  #deliver(message: unknown): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
