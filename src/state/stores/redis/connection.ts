import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectEncrypted } from "node:tls";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { answerTimeoutDefaultMs, type RedisAddress, type RedisLocation } from "./address.ts";
import { RedisFault, encodeCommand, makeReplyFault, type Reply, ReplyReader } from "./replies.ts";

const redisConnectMaxMs = 1_000;

type Waiting = {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (fault: RedisFault) => void;
  readonly timer: Timer;
};

// After its first failure, a connection rejects every command, so open another one.
export class RedisConnection {
  readonly #socket: Socket;
  readonly #reader = new ReplyReader();
  readonly #waiting: Waiting[] = [];
  readonly #timeoutMs: number;
  #fault: RedisFault | undefined;
  // Before the first answer, a code that suggests a TLS mismatch; then `ECONNRESET`.
  #closedCode: string;

  private constructor(socket: Socket, isEncrypted: boolean, timeoutMs: number) {
    this.#socket = socket;
    this.#timeoutMs = timeoutMs;
    this.#closedCode = pickClosedCode(isEncrypted);
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.on("error", (error) =>
      this.#fail(new RedisFault(explainClose(readErrorCode(error), this.#closedCode))),
    );
    socket.on("close", () => this.#fail(new RedisFault(this.#closedCode)));
  }

  static async open({
    address,
    timeoutMs = answerTimeoutDefaultMs,
  }: Omit<RedisLocation, "fleet">): Promise<RedisConnection> {
    const socket = await connectSocket(address);
    const connection = new RedisConnection(socket, address.isEncrypted, timeoutMs);
    try {
      await connection.#logIn(address);
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  // Rejects with RedisFault. After a timeout, the command may still run.
  async send(words: readonly string[]): Promise<Exclude<Reply, RedisFault>> {
    if (this.#fault) throw this.#fault;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const timer = this.#startTimer(this.#timeoutMs);
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
      const words = ["AUTH", ...(user === undefined ? [] : [user]), password];
      await this.#sendWithFaultCode("NO_PASSWORD", words);
    }
    try {
      // SELECT is sent even for the default database, because the reply reveals a missing password.
      await this.#sendWithFaultCode("NO_DATABASE", ["SELECT", String(database)]);
    } catch (error) {
      const isForbidden = error instanceof RedisFault && error.code === "NOPERM";
      // The default database needs no selection.
      if (!isForbidden || database > 0) throw error;
    }
  }

  async #sendWithFaultCode(code: string, words: readonly string[]): Promise<void> {
    try {
      await this.send(words);
    } catch (error) {
      const isGeneric = error instanceof RedisFault && error.code === "ERR";
      throw isGeneric ? new RedisFault(code) : error;
    }
  }

  // After a suspended process resumes, timers fire before the socket is read, so each timer waits once more.
  #startTimer(delayMs: number, isSecondWait = false): Timer {
    const startedMs = performance.now();
    const timer = setTimeout(() => {
      const waiting = this.#waiting.find((entry) => entry.timer === timer);
      if (!waiting) return;
      if (isSecondWait) return this.#fail(new RedisFault("ETIMEDOUT"));
      const isLate = performance.now() - startedMs > 1.5 * delayMs;
      Object.assign(waiting, { timer: this.#startTimer(isLate ? this.#timeoutMs : 1, true) });
    }, delayMs);
    return timer.unref();
  }

  #read(bytes: Buffer): void {
    try {
      for (const reply of this.#reader.push(bytes)) {
        const waiting = this.#waiting.shift();
        if (!waiting) throw makeReplyFault();
        this.#closedCode = "ECONNRESET";
        clearTimeout(waiting.timer);
        waiting.resolve(reply);
      }
    } catch (error) {
      this.#fail(error instanceof RedisFault ? error : new RedisFault(readErrorCode(error)));
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

function pickClosedCode(isEncrypted: boolean): string {
  return isEncrypted ? "CLOSED_TLS" : "CLOSED_AT_START";
}

// If the other side closes the connection, the socket may report `ECONNRESET` or `EPIPE` before `close`.
function explainClose(code: string, closedCode: string): string {
  return code === "ECONNRESET" || code === "EPIPE" ? closedCode : code;
}

async function connectSocket({ host, port, isEncrypted }: RedisAddress): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = isEncrypted
    ? connectEncrypted({ host, port, ...name }, () => resolve(socket))
    : connectPlain({ host, port }, () => resolve(socket));
  const fail = (code: string): void => {
    socket.destroy();
    reject(new RedisFault(code));
  };
  let timeoutCode = "ETIMEDOUT";
  if (isEncrypted) socket.on("connect", () => (timeoutCode = "TLS_TIMEOUT"));
  const timer = setTimeout(() => fail(timeoutCode), redisConnectMaxMs);
  const closedCode = pickClosedCode(isEncrypted);
  socket.on("error", (error) => fail(explainClose(readErrorCode(error), closedCode)));
  socket.on("close", () => fail(closedCode));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
