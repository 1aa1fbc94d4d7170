import { connectionMarginMs, idleConnectionMaxMs, unsaidCloseMs } from "#limits/http.ts";
import type { OutgoingRequest, ServerAnswer } from "./answer.ts";
import { Connection } from "./connection.ts";
import { HttpFault } from "#http1/http-fault.ts";
import type { Leaving } from "#http1/leaving.ts";

type Idle = {
  readonly connection: Connection;
  readonly sinceMs: number;
  readonly untilMs: number;
};

/** The connections to one server without TLS; one that rests carries the next request. */
export class Connections {
  readonly #url: URL;
  readonly #nowMs: () => number;
  readonly #open = new Set<Connection>();
  /** The one that was used last is at the end. */
  #idle: Idle[] = [];
  #sweep: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** For how long a connection may rest, by the last one that the server closed without a word. */
  #restMaxMs = idleConnectionMaxMs;
  #unsaidMs = -Infinity;

  /** `nowMs` is a monotonic clock. */
  constructor(url: URL, nowMs: () => number) {
    this.#url = url;
    this.#nowMs = nowMs;
  }

  /** Sends a request to the server. Rejects with an error that has a code where it has no answer. */
  async ask(request: OutgoingRequest): Promise<ServerAnswer> {
    const idle = this.#takeIdle();
    if (!idle) return this.#askAnew(request);
    const { connection: kept, sinceMs } = idle;
    const askedMs = this.#nowMs();
    try {
      return await kept.ask(request);
    } catch (error) {
      if (kept.wasSilent && !request.leaving.hasLeft) this.#restLess(askedMs - sinceMs);
      // The server may have closed it at the same moment. It may have run a call, which is not sent again.
      if (!kept.wasSilent || request.method === "POST" || request.leaving.hasLeft) throw error;
      return this.#askAnew(request);
    }
  }

  /** Breaks off all of them. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#sweep);
    for (const connection of this.#open) connection.close();
  }

  async #askAnew(request: OutgoingRequest): Promise<ServerAnswer> {
    const left = Promise.withResolvers<never>();
    // A connection may take minutes to open, or to fail.
    request.leaving.onLeave(() => left.reject(new HttpFault("ECONNRESET")));
    const connection = await Promise.race([this.#connect(request.leaving), left.promise]);
    return connection.ask(request);
  }

  /** Opens one, which is closed again where the client has left. */
  async #connect(leaving: Leaving): Promise<Connection> {
    const connection = await Connection.open(this.#url, {
      rested: (keptSeconds) => this.#keep(connection, keptSeconds),
      closed: () => this.#closed(connection),
    });
    if (this.#isClosed || leaving.hasLeft) connection.close();
    else if (!connection.isClosed) this.#open.add(connection);
    return connection;
  }

  #closed(connection: Connection): void {
    this.#open.delete(connection);
    const at = this.#idle.findIndex((one) => one.connection === connection);
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (idle && !this.#isClosed) this.#restLess(this.#nowMs() - idle.sinceMs);
  }

  /** The server closed a connection that had rested for so long: a request at the same moment would be lost. */
  #restLess(restedMs: number): void {
    this.#restMaxMs = Math.min(this.#restMaxMs, restedMs / 2);
    this.#unsaidMs = this.#nowMs();
  }

  #takeIdle(): Idle | undefined {
    const last = this.#idle.pop();
    if (last && !last.connection.isClosed && last.untilMs > this.#nowMs()) return last;
    // Those before it rest for longer still, or have been closed too.
    if (last) this.#closeExpired([...this.#idle.splice(0), last]);
    return this.#idle.pop();
  }

  #keep(connection: Connection, keptSeconds: number | undefined): void {
    const keptMs = keptSeconds === undefined ? Infinity : keptSeconds * 1000 - connectionMarginMs;
    const sinceMs = this.#nowMs();
    // The server may have been started again at that time.
    if (sinceMs - this.#unsaidMs > unsaidCloseMs) this.#restMaxMs = idleConnectionMaxMs;
    const restMs = Math.min(keptMs, this.#restMaxMs);
    if (restMs < 1) return connection.end();
    this.#idle.push({ connection, sinceMs, untilMs: sinceMs + restMs });
    this.#sweep ??= setTimeout(() => this.#sweepIdle(), idleConnectionMaxMs).unref();
  }

  #sweepIdle(): void {
    this.#sweep = undefined;
    this.#closeExpired(this.#idle.splice(0));
    if (this.#idle.length > 0)
      this.#sweep = setTimeout(() => this.#sweepIdle(), idleConnectionMaxMs).unref();
  }

  /** Keeps those that can be used. */
  #closeExpired(all: readonly Idle[]): void {
    const nowMs = this.#nowMs();
    const isUsable = ({ connection, untilMs }: Idle): boolean =>
      !connection.isClosed && untilMs > nowMs;
    this.#idle = all.filter((one) => isUsable(one));
    for (const one of all) if (!isUsable(one)) one.connection.close();
  }
}
