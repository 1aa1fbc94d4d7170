import { Client } from "./sdk.ts";
import { sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { arrayAt, isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";
import { nameCharactersMax } from "#limits/lines.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { version } from "#version.ts";
import {
  describeFailure,
  describeTimeout,
  describeUnreadable,
  firstLineOf,
  isTimeout,
  RefusedRequest,
  rpcErrorCode,
  TimeoutError,
  toolErrorText,
  UselessAnswer,
} from "./failure.ts";
import { type Clean, cleanNothing } from "#text/one-line.ts";
import { listAgain, listOffer, type ServerOffer } from "./offer.ts";
import { ServerFailure } from "./server-failure.ts";
import { faultOf } from "./server-fault.ts";
import type { ServerStart } from "./stdio-server.ts";
import { type LineHandler, StdioTransport } from "./transport.ts";

/** A server as it introduces itself. */
export type ServerIdentity = {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocolVersion: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly instructions: string | undefined;
  /** The parts that a client may show to its user, where it has them. */
  readonly introduction: {
    readonly title?: string;
    readonly description?: string;
    readonly websiteUrl?: string;
    readonly icons?: readonly JsonObject[];
  };
};

/** A call to make. */
export type ToolCall = {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
};

/**
 * How one call ended: `error` is the text of a result with `isError`, the message of a JSON-RPC error, or the reason for
 * a missing answer.
 */
export type ToolAnswer = {
  readonly isError: boolean;
  /** Code of a JSON-RPC error; null without one. */
  readonly errorCode: number | null;
  /** False when neither a result nor a JSON-RPC error arrived that could be read. */
  readonly isAnswered: boolean;
  readonly error: string | null;
  /** The result as the server wrote it; undefined without one. */
  readonly result: unknown;
  /** Id of its request; null when none was sent. */
  readonly requestId: string | number | null;
  /** The line of the result; undefined without one. */
  readonly line: string | undefined;
};

/** Milliseconds that stand for "without a timeout" where `#within` already limits the work. */
const noTimeoutMs = 2 ** 31 - 1;

/** Takes any result as it is: we check the members that we use. */
const anyResult = {
  "~standard": {
    version: 1 as const,
    vendor: "mcp-meter",
    validate: (value: unknown): { readonly value: unknown } => ({ value }),
  },
};

/**
 * An MCP connection to a stdio server that we start, in either era. `server/discover` is sent first; a server
 * that answers it with an error is initialized as in 2025. One that ends by itself on it is started a second
 * time and initialized at once. A connection that was closed or killed never starts a server again.
 *
 * `connect`, `offer`, `listAgain` and `call` throw UserError with exit code 3 when the server fails. When any of the
 * first three throws, the server has ended.
 */
export class McpConnection {
  readonly #start: ServerStart;
  readonly #io: Pick<Io, "platform" | "signals">;
  readonly #handlerForStart: () => LineHandler;
  readonly #clean: Clean;
  #transport: StdioTransport;
  #client: Client;
  #isEnded = false;

  /**
   * `handlerForStart` is called for each start of the server: the last start is the connection that lasts. `clean`
   * removes secrets from every text of the server that an error or a sentence quotes.
   */
  constructor(
    start: ServerStart,
    io: Pick<Io, "platform" | "signals">,
    handlerForStart: () => LineHandler,
    clean: Clean = cleanNothing,
  ) {
    this.#start = start;
    this.#io = io;
    this.#handlerForStart = handlerForStart;
    this.#clean = clean;
    this.#transport = this.#newTransport();
    this.#client = newClient("auto", 0);
  }

  /** Lines on the server's stdout that are not JSON-RPC. */
  get foreignLines(): number {
    return this.#transport.foreignLines;
  }

  /** The first of them, cleaned, sanitised and shortened; undefined without any. */
  get firstForeignLine(): string | undefined {
    return this.#transport.firstForeignLine;
  }

  /** Starts the server and negotiates a protocol version with it. */
  async connect(timeoutMs: number): Promise<ServerIdentity> {
    await this.#within(timeoutMs, () => this.#negotiate(timeoutMs));
    const server = this.#client.getServerVersion();
    return {
      name: server?.name ?? null,
      version: server?.version ?? null,
      protocolVersion: this.#client.getNegotiatedProtocolVersion() ?? null,
      era: this.#client.getProtocolEra() ?? null,
      instructions: this.#client.getInstructions(),
      introduction: introductionIn(server),
    };
  }

  /** Lists what the server offers, all pages of all lists. */
  async offer(timeoutMs: number): Promise<ServerOffer> {
    return this.#within(timeoutMs, () =>
      listOffer(
        (method, params) => this.#request(method, params, noTimeoutMs),
        this.#client.getServerCapabilities(),
        () => this.#transport.receivedBytes,
      ),
    );
  }

  /** Lists everything but resources once more, all pages. Its bytes count without those of earlier answers. */
  async listAgain(
    timeoutMs: number,
  ): Promise<Pick<ServerOffer, "tools" | "prompts" | "resourceTemplates">> {
    const before = this.#transport.receivedBytes;
    return this.#within(timeoutMs, () =>
      listAgain(
        (method, params) => this.#request(method, params, noTimeoutMs),
        this.#client.getServerCapabilities(),
        () => this.#transport.receivedBytes - before,
      ),
    );
  }

  /** Calls a tool. An error and a missing answer are values; a server that exits is a UserError. */
  async call({ tool, arguments: args, timeoutMs }: ToolCall): Promise<ToolAnswer> {
    const before = this.#transport.lastRequest;
    const requestId = (): ToolAnswer["requestId"] => {
      const { lastRequest } = this.#transport;
      return lastRequest === undefined || lastRequest === before ? null : lastRequest;
    };
    try {
      const params = { name: tool, arguments: { ...args } };
      const result = await this.#request("tools/call", params, timeoutMs);
      const isError = memberAt(result, "isError") === true;
      const error = isError ? toolErrorText(result, this.#clean) : null;
      const ending = { isError, errorCode: null, isAnswered: true, error, result };
      const id = requestId();
      return { ...ending, requestId: id, line: this.#transport.resultLine(id) };
    } catch (error) {
      if (this.#transport.exit !== undefined) throw this.#unreachable(error, timeoutMs);
      const errorCode = error instanceof RefusedRequest ? error.code : null;
      const reason = isTimeout(error) ? describeTimeout(timeoutMs) : this.#reasonOf(error);
      const ending = { isError: true, errorCode, isAnswered: errorCode !== null, error: reason };
      return { ...ending, result: undefined, requestId: requestId(), line: undefined };
    }
  }

  /** Ends the server gracefully, within three seconds. Resolves when it has exited. */
  async close(): Promise<void> {
    this.#isEnded = true;
    await this.#transport.close();
  }

  /** Ends the server at once. Resolves when it has exited. */
  async kill(): Promise<void> {
    this.#isEnded = true;
    await this.#transport.kill();
  }

  async #negotiate(timeoutMs: number): Promise<void> {
    try {
      await this.#open("auto", timeoutMs);
    } catch (error) {
      if (this.#transport.life !== "ended-by-itself") throw error;
      await this.#transport.close();
      // From here to `#open` nothing is awaited, so `close` and `kill` find the second transport or prevent it.
      if (this.#isEnded) throw error;
      this.#transport = this.#newTransport();
      await this.#open("legacy", timeoutMs);
    }
  }

  async #open(mode: "auto" | "legacy", timeoutMs: number): Promise<void> {
    this.#client = newClient(mode, timeoutMs);
    try {
      await this.#client.connect(this.#transport, { timeout: timeoutMs });
    } catch (error) {
      throw this.#asRefused(error, "to connect", "initialize");
    }
    // The question of the newer era has taken the first line, which a client of the older one would not have read.
    const unread = this.#transport.unreadableAnswer;
    if (unread?.cause !== "byte_order_mark") return;
    throw new UselessAnswer(describeUnreadable(unread, "the first request"));
  }

  async #request(method: string, params: JsonObject, timeoutMs: number): Promise<unknown> {
    try {
      const request = { method, params: { ...params } };
      return await this.#client.request(request, anyResult, { timeout: timeoutMs });
    } catch (error) {
      throw this.#asRefused(error, method);
    }
  }

  #newTransport(): StdioTransport {
    return new StdioTransport(this.#start, this.#io, this.#handlerForStart(), this.#clean);
  }

  /** A JSON-RPC error as the refusal of `what`, a method or `to connect`; any other error unchanged. */
  #asRefused(error: unknown, what: string, method = what): unknown {
    const code = rpcErrorCode(error);
    if (typeof code !== "number") return error;
    const { unreadableAnswer: unreadable, lastRequest } = this.#transport;
    const isOurs = unreadable !== undefined && unreadable.request === lastRequest;
    if (isOurs) return new UselessAnswer(describeUnreadable(unreadable, method));
    return new RefusedRequest(what, code, firstLineOf(error, this.#clean));
  }

  /** Our own words as they are, those of the server or the client library cleaned and shortened. */
  #reasonOf(error: unknown): string {
    return error instanceof UselessAnswer ? error.message : firstLineOf(error, this.#clean);
  }

  async #within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new TimeoutError()), timeoutMs);
    try {
      return await Promise.race([work(), timeout]);
    } catch (error) {
      const failure = error instanceof UserError ? error : this.#unreachable(error, timeoutMs);
      await this.kill();
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  #unreachable(error: unknown, timeoutMs: number): ServerFailure {
    const [command = ""] = this.#start.command;
    const fault = faultOf(error, this.#transport, timeoutMs);
    const greeted = this.#client.getServerVersion();
    const named = greeted ? this.#clean(greeted.name) : command;
    const name = escapeUnsafe(named.slice(0, nameCharactersMax));
    if (error instanceof RefusedRequest && this.#transport.life !== "ended-by-itself") {
      const { method, code, message } = error;
      return new ServerFailure(sentences.serverRefused(name, method, message, code), fault);
    }
    const terms = { timeoutMs, clean: this.#clean };
    const reason = describeFailure(error, this.#transport, terms);
    const isServer = greeted !== undefined || error instanceof UselessAnswer;
    const sentence = isServer
      ? sentences.serverFailed(name, reason)
      : sentences.serverUnreachable(command, reason);
    return new ServerFailure(sentence, fault);
  }
}

function introductionIn(server: unknown): ServerIdentity["introduction"] {
  const [title, description] = [textAt(server, "title"), textAt(server, "description")];
  const websiteUrl = textAt(server, "websiteUrl");
  const icons = arrayAt(server, "icons").filter(isObject);
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons.length === 0 ? {} : { icons }),
  };
}

function newClient(mode: "auto" | "legacy", timeoutMs: number): Client {
  // A legacy server may not answer the probe at all; `initialize` needs time after that.
  const probe = { timeoutMs: Math.ceil(timeoutMs / 3) };
  return new Client(
    { name: "mcp-meter", version },
    { versionNegotiation: { mode, probe }, enforceStrictCapabilities: false },
  );
}
