import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectEncrypted } from "node:tls";
import { redisCommandMaxMs, redisConnectMaxMs } from "#limits/redis.ts";
import { errorCode } from "#os/error-code.ts";
import type { RedisAddress } from "./address.ts";
import { RedisFault } from "./redis-fault.ts";
import { encodeCommand, type Reply, ReplyReader } from "./replies.ts";

type Waiting = {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (fault: RedisFault) => void;
  readonly timer: Timer;
};

/** One connection to a Redis. After its first failure every command is rejected: open another one. */
export class RedisConnection {
  readonly #socket: Socket;
  readonly #reader = new ReplyReader();
  readonly #waiting: Waiting[] = [];
  #fault: RedisFault | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.on("error", (error) => this.#fail(new RedisFault(errorCode(error))));
    socket.on("close", () => this.#fail(new RedisFault("ECONNRESET")));
  }

  /** Connects, logs in and chooses the database. Rejects with RedisFault. */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const socket = await connected(address);
    const connection = new RedisConnection(socket);
    try {
      await connection.#logIn(address);
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  /**
   * The answer to a command. Rejects with RedisFault when Redis answers with an error, or does not answer in time: then the
   * command may still be run later.
   */
  async send(words: readonly string[]): Promise<Exclude<Reply, RedisFault>> {
    if (this.#fault) throw this.#fault;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const timer = this.#timer(redisCommandMaxMs);
    this.#waiting.push({ resolve, reject, timer });
    this.#socket.write(encodeCommand(words));
    const reply = await promise;
    if (reply instanceof RedisFault) throw reply;
    return reply;
  }

  close(): void {
    this.#fail(new RedisFault("ECONNRESET"));
  }

  async #logIn({ user, password, database }: RedisAddress): Promise<void> {
    if (password !== undefined) {
      await this.send(["AUTH", ...(user === undefined ? [] : [user]), password]);
    }
    // Also without a database: a missing password shows here.
    await this.send(["SELECT", String(database)]);
  }

  /**
   * A process that was busy or stopped finds its timers due before it has read the answers that arrived meanwhile: it
   * reads first, and after a long time waits once more.
   */
  #timer(delayMs: number, isLast = false): Timer {
    const startedMs = performance.now();
    const timer = setTimeout(() => {
      const waiting = this.#waiting.find((one) => one.timer === timer);
      if (!waiting) return;
      if (isLast) return this.#fail(new RedisFault("ETIMEDOUT"));
      const isLate = performance.now() - startedMs > 1.5 * delayMs;
      Object.assign(waiting, { timer: this.#timer(isLate ? redisCommandMaxMs : 1, true) });
    }, delayMs);
    return timer.unref();
  }

  #read(bytes: Buffer): void {
    try {
      for (const reply of this.#reader.push(bytes)) {
        const waiting = this.#waiting.shift();
        if (!waiting) throw new RedisFault("not an answer of Redis");
        clearTimeout(waiting.timer);
        waiting.resolve(reply);
      }
    } catch (error) {
      this.#fail(error instanceof RedisFault ? error : new RedisFault(errorCode(error)));
    }
  }

  #fail(fault: RedisFault): void {
    if (this.#fault) return;
    this.#fault = fault;
    this.#socket.destroy();
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(fault);
    }
  }
}

/** A socket that is connected, and encrypted where the address asks for it. */
async function connected({ host, port, isEncrypted }: RedisAddress): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = isEncrypted
    ? connectEncrypted({ host, port, ...name }, () => resolve(socket))
    : connectPlain({ host, port }, () => resolve(socket));
  const fail = (code: string): void => {
    socket.destroy();
    reject(new RedisFault(code));
  };
  const timer = setTimeout(() => fail("ETIMEDOUT"), redisConnectMaxMs);
  socket.on("error", (error) => fail(errorCode(error)));
  socket.on("close", () => fail("ECONNRESET"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
