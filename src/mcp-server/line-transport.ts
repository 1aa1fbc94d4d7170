import type { ChunkReader } from "#os/child.ts";
import { errorCode } from "#os/error-code.ts";
import {
  servedBytesQueuedMax,
  servedEndMaxMs,
  servedLineBytesMax,
  servedRequestsMax,
} from "#limits/mcp-server.ts";
import { LineSplitter, type Line } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "./sdk.ts";

/** Both ends of a connection to a client. */
export type ClientPipes = {
  readonly input: ChunkReader;
  /** Writes all bytes; gives the system error code of a failure. Never throws. */
  readonly write: (bytes: Uint8Array) => Promise<string | undefined>;
};

/** Why a connection ended although the client had not left. */
export type ConnectionFault = { readonly end: "stdin" | "stdout"; readonly reason: string };

/** System error codes of a client that has left. */
const leftCodes = new Set(["EPIPE", "ECONNRESET"]);

type RawId = string | number;

/** Stays open until one side ends the connection. */
const subscription = "subscriptions/listen";

const invalidJson = { code: -32_700, message: "Parse error: not JSON" };
const invalidRequest = { code: -32_600, message: "Invalid request" };

/**
 * The SDK's transport over our stdin and stdout: one JSON-RPC message per line. Unlike the SDK's own it answers lines
 * that are not messages, bounds their length, waits for a slow reader before it reads on, and when the client closes its end,
 * answers the open requests first.
 */
export class LineTransport implements Transport {
  readonly #pipes: ClientPipes;
  /** Requests that are not answered. */
  readonly #open = new Set<RawId>();
  #writing: Promise<unknown> = Promise.resolve();
  #queuedBytes = 0;
  #isClosed = false;
  #changed: (() => void) | undefined;
  readonly #ended = Promise.withResolvers<void>();
  #fault: ConnectionFault | undefined;
  onmessage: Transport["onmessage"];
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;

  constructor(pipes: ClientPipes) {
    this.#pipes = pipes;
  }

  /** Resolves when the connection has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The failure that ended the connection; undefined when the client has left. */
  get fault(): ConnectionFault | undefined {
    return this.#fault;
  }

  async start(): Promise<void> {
    void this.#serveAll();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && message.id !== undefined && !("method" in message)) {
      this.#settle(message.id);
    }
    await this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wake();
    this.onclose?.();
    this.#ended.resolve();
  }

  async #serveAll(): Promise<void> {
    try {
      await this.#readAll();
      await Promise.race([this.#allAnswered(), Bun.sleep(servedEndMaxMs)]);
    } catch (error) {
      this.#fault = { end: "stdin", reason: errorCode(error) };
    }
    await this.close();
  }

  async #readAll(): Promise<void> {
    const splitter = new LineSplitter(servedLineBytesMax);
    while (!this.#isClosed) {
      const { value } = await this.#pipes.input.read();
      if (value === undefined) break;
      for (const line of splitter.push(value)) this.#take(line);
      await this.#until(() => this.#hasRoom);
    }
    const last = splitter.end();
    if (last) this.#take(last);
  }

  async #allAnswered(): Promise<void> {
    await this.#until(() => this.#open.size === 0 && this.#queuedBytes === 0);
  }

  get #hasRoom(): boolean {
    return this.#queuedBytes <= servedBytesQueuedMax && this.#open.size <= servedRequestsMax;
  }

  #take(line: Line): void {
    const message = parseMessage(line);
    if (message.kind === "opaque") {
      if (message.reason === "blank") return;
      this.#refuse(null, message.reason === "not-json" ? invalidJson : invalidRequest);
      return;
    }
    const id = message.kind === "request" ? message.id.value : null;
    const isWhole = message.kind !== "batch" && !message.truncated;
    const parsed = isWhole ? messageIn(line) : undefined;
    if (!parsed) this.#refuse(id, invalidRequest);
    else this.#deliver(parsed);
  }

  #deliver(message: JSONRPCMessage): void {
    if ("method" in message) this.#follow(message);
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #follow(message: Extract<JSONRPCMessage, { method: string }>): void {
    if ("id" in message) {
      if (message.method !== subscription) this.#open.add(message.id);
      return;
    }
    const id = message.method === "notifications/cancelled" && message.params?.["requestId"];
    if (typeof id === "string" || typeof id === "number") this.#settle(id);
  }

  #refuse(id: RawId | null, error: typeof invalidRequest): void {
    void this.#write({ jsonrpc: "2.0", id, error });
  }

  #settle(id: RawId): void {
    this.#open.delete(id);
    this.#wake();
  }

  /** Writes a message after those before it. A failure ends the connection. */
  async #write(message: object): Promise<void> {
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#queuedBytes += bytes.length;
    const written = this.#writing.then(() => this.#pipes.write(bytes));
    this.#writing = written;
    const failure = await written;
    this.#queuedBytes -= bytes.length;
    this.#wake();
    if (failure === undefined) return;
    if (!leftCodes.has(failure)) this.#fault ??= { end: "stdout", reason: failure };
    await this.close();
  }

  /** Resolves when the condition holds or the connection has ended. */
  async #until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  #wake(): void {
    this.#changed?.();
    this.#changed = undefined;
  }
}

/** The message of a line; undefined for one that the SDK does not accept. */
function messageIn({ bytes }: Line): JSONRPCMessage | undefined {
  if (!bytes) return undefined;
  try {
    return parseJSONRPCMessage(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
