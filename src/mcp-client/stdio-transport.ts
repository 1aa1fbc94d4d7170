import type { Io } from "#io.ts";
import { foreignLineCharactersMax, foreignLinesMax } from "#limits/definitions.ts";
import { lineObservedBytesMax } from "#limits/lines.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import type { Side } from "#wire/side.ts";
import { memberAt } from "#wire/json.ts";
import { LineSplitter, type Line } from "#wire/line.ts";
import type { Message } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { type Clean, cleanNothing } from "#text/one-line.ts";
import { hasByteOrderMark, ignoredForm } from "./answer-form.ts";
import type { UnreadableAnswer } from "./failure.ts";
import { type ServerLife, type ServerStart, StdioServer } from "./stdio-server.ts";

/** Takes every line of both directions in the order in which it crosses the pipe. */
export type LineHandler = (from: Side, line: Line) => void;

/** JSON-RPC error that replaces an answer which is not read; the SDK then ends its request. */
const unreadable = { code: -31_901, message: "unreadable" };

/**
 * The SDK's transport over the stdio of a server process: one JSON-RPC message per line. Has `stderr` and
 * `pid` because the SDK recognises a stdio transport by them.
 */
export class StdioTransport {
  readonly #server: StdioServer;
  readonly #handleLine: LineHandler;
  #reading: Promise<void> = Promise.resolve();
  #foreignLines = 0;
  #firstForeignLine: string | undefined;
  #receivedBytes = 0;
  #lastRequest: string | number | undefined;
  #unreadableAnswer: (UnreadableAnswer & { readonly request: string | number }) | undefined;
  #lastResult: { readonly request: string | number; readonly bytes: Uint8Array } | undefined;
  readonly #clean: Clean;
  onmessage: ((message: unknown) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;

  constructor(
    start: ServerStart,
    io: Pick<Io, "platform" | "signals">,
    handleLine: LineHandler,
    clean: Clean = cleanNothing,
  ) {
    this.#clean = clean;
    this.#server = new StdioServer(start, io);
    this.#handleLine = handleLine;
  }

  get pid(): number | null {
    return this.#server.pid;
  }

  /** The server writes to our own stderr. */
  get stderr(): null {
    return null;
  }

  get life(): ServerLife {
    return this.#server.life;
  }

  /** How the server exited, in words; undefined until then. */
  get exit(): string | undefined {
    return this.#server.exit;
  }

  /** Lines on stdout that are not JSON-RPC. */
  get foreignLines(): number {
    return this.#foreignLines;
  }

  /** The first of these lines, cleaned, sanitised and shortened. */
  get firstForeignLine(): string | undefined {
    return this.#firstForeignLine;
  }

  /** Bytes of everything that the server wrote to stdout. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Id of the request that was sent last. */
  get lastRequest(): string | number | undefined {
    return this.#lastRequest;
  }

  /** Throws UserError with exit code 3 when the command cannot be started, Error after `close` or `kill`. */
  async start(): Promise<void> {
    this.#server.start();
    this.#reading = this.#readAll();
    // A failure surfaces in `close`. Until that is called, it must not end our process.
    this.#reading.catch(() => undefined);
  }

  /** The last answer that was not read, with the id of its request; undefined without any. */
  get unreadableAnswer(): (UnreadableAnswer & { readonly request: string | number }) | undefined {
    return this.#unreadableAnswer;
  }

  /** The line of the last result if it answers that request. */
  resultLine(request: string | number | null): string | undefined {
    const last = this.#lastResult;
    return last?.request === request ? new TextDecoder().decode(last.bytes) : undefined;
  }

  async send(message: unknown): Promise<void> {
    const id = memberAt(message, "method") === undefined ? undefined : memberAt(message, "id");
    if (typeof id === "string" || typeof id === "number") this.#lastRequest = id;
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#handleLine("client", { bytes, size: bytes.length, skim: undefined });
    await this.#server.write(bytes);
  }

  /**
   * Ends the server gracefully, within three seconds. Resolves when it has exited and its output is handled;
   * rejects when handling its output failed.
   */
  async close(): Promise<void> {
    await this.#server.close();
    await this.#reading;
  }

  /** Ends the server at once. Resolves and rejects as `close` does. */
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
          if (this.#foreignLines > foreignLinesMax) return;
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
    this.#receivedBytes += line.size;
    this.#handleLine("server", line);
    const message = parseMessage(line);
    if (message.kind === "opaque") {
      if (message.reason !== "blank") this.#takeForeign(line);
    } else if ("truncated" in message && message.truncated) {
      const cause = line.size > lineObservedBytesMax ? "long" : "deep";
      this.#refuse(message, line, cause);
    } else {
      this.#read(message, line);
    }
  }

  /** Delivers a message that clients read. Of any other, an answer is refused. */
  #read(message: Message, line: Line): void {
    const bytes = line.bytes ?? new Uint8Array();
    const value = parsedStrictly(new TextDecoder().decode(bytes));
    if (message.kind === "batch") {
      for (const item of message.items) this.#refuse(item, line, "batch");
      return;
    }
    const unparsed = value === undefined ? "not_json" : ignoredForm(value);
    const form = hasByteOrderMark(bytes) ? "byte_order_mark" : unparsed;
    if (form !== undefined) {
      this.#refuse(message, line, form);
      return;
    }
    if (message.kind === "result") this.#lastResult = { request: message.id.value, bytes };
    this.#deliver(value);
  }

  #refuse(message: Message, { size }: Line, cause: UnreadableAnswer["cause"]): void {
    if (message.kind !== "result" && message.kind !== "error") return;
    const id = message.id?.value;
    if (id === undefined) return;
    this.#unreadableAnswer = { request: id, size, cause };
    this.#deliver({ jsonrpc: "2.0", id, error: unreadable });
  }

  #takeForeign({ bytes }: Line): void {
    this.#foreignLines += 1;
    if (bytes) this.#firstForeignLine ??= quotedLine(bytes, this.#clean);
  }

  /** A message that the SDK throws at is skipped, as its own transport does. */
  #deliver(message: unknown): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** The value of a JSON text; undefined for any other text. */
function parsedStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function quotedLine(bytes: Uint8Array, clean: Clean): string {
  // All of the line is cleaned: a value that is cut cannot be found.
  const text = clean(Bun.stripANSI(new TextDecoder().decode(bytes))).trim();
  const isCut = text.length > foreignLineCharactersMax;
  const kept = text.slice(0, foreignLineCharactersMax).toWellFormed();
  return escapeUnsafe(isCut ? `${kept}…` : kept);
}
