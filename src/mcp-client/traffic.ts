import { foreignLineCharactersMax } from "#limits/definitions.ts";
import { lineObservedBytesMax } from "#limits/lines.ts";
import { type Clean, cleanNothing } from "#text/one-line.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { memberAt } from "#wire/json.ts";
import type { Line } from "#wire/line.ts";
import type { Message } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import type { Side } from "#wire/side.ts";
import { hasByteOrderMark, ignoredForm } from "./answer-form.ts";
import type { UnreadableAnswer } from "./failure.ts";

/** Takes every line of both directions in the order in which it crosses the pipe. */
export type LineHandler = (from: Side, line: Line) => void;

/** The id of a request. */
export type RequestId = string | number;

/** JSON-RPC error that replaces an answer which is not read; the SDK then ends its request. */
const unreadable = { code: -31_901, message: "unreadable" };

/**
 * The messages of a connection in both directions: hands their lines to a handler, and finds what clients of the SDKs read
 * in those of the server. An answer that they would ignore becomes an error, so that the SDK does not wait for it.
 */
export class Traffic {
  readonly #handleLine: LineHandler;
  readonly #clean: Clean;
  #foreignLines = 0;
  #firstForeignLine: string | undefined;
  #receivedBytes = 0;
  #lastRequest: RequestId | undefined;
  #unreadableAnswer: (UnreadableAnswer & { readonly request: RequestId }) | undefined;
  #lastResult: { readonly request: RequestId; readonly bytes: Uint8Array } | undefined;

  constructor(handleLine: LineHandler, clean: Clean = cleanNothing) {
    this.#handleLine = handleLine;
    this.#clean = clean;
  }

  /** Lines of the server that are not JSON-RPC. */
  get foreignLines(): number {
    return this.#foreignLines;
  }

  /** The first of these lines, cleaned, sanitised and shortened. */
  get firstForeignLine(): string | undefined {
    return this.#firstForeignLine;
  }

  /** Bytes of everything that the server sent. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Id of the request that was sent last. */
  get lastRequest(): RequestId | undefined {
    return this.#lastRequest;
  }

  /** The last answer that was not read, with the id of its request; undefined without any. */
  get unreadableAnswer(): (UnreadableAnswer & { readonly request: RequestId }) | undefined {
    return this.#unreadableAnswer;
  }

  /** The line of the last result if it answers that request. */
  resultLine(request: RequestId | null): string | undefined {
    const last = this.#lastResult;
    return last?.request === request ? new TextDecoder().decode(last.bytes) : undefined;
  }

  /** Takes a message to the server; the bytes of its line. */
  sent(message: unknown): Uint8Array {
    this.#lastRequest = requestIdIn(message) ?? this.#lastRequest;
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#handleLine("client", { bytes, size: bytes.length, skim: undefined });
    return bytes;
  }

  /** Takes a line of the server; the messages that a client reads in it, refused answers as errors. */
  received(line: Line): readonly unknown[] {
    const message = this.#taken(line);
    if (message.kind === "opaque") {
      if (message.reason !== "blank") this.#takeForeign(line);
      return [];
    }
    const refused = this.#refusedBySize(message, line);
    if (refused) return refused;
    const bytes = line.bytes ?? new Uint8Array();
    if (message.kind === "batch") {
      return message.items.flatMap((item) => this.#refused(item, line, "batch"));
    }
    const value = parsedStrictly(bytes);
    const unparsed = value === undefined ? "not_json" : ignoredForm(value);
    const form = hasByteOrderMark(bytes) ? "byte_order_mark" : unparsed;
    return form === undefined
      ? this.#read(message, value, bytes)
      : this.#refused(message, line, form);
  }

  /**
   * Takes a body that is one answer of HTTP, as `received` does. Clients read it whole: they drop a byte order mark, and read
   * a batch.
   */
  receivedBody(line: Line): readonly unknown[] {
    const message = this.#taken(line);
    if (message.kind === "opaque") return [];
    const refused = this.#refusedBySize(message, line);
    if (refused) return refused;
    const bytes = line.bytes ?? new Uint8Array();
    const value = parsedStrictly(bytes);
    if (message.kind === "batch") {
      return Array.isArray(value) ? value.filter((item) => ignoredForm(item) === undefined) : [];
    }
    const form = value === undefined ? "not_json" : ignoredForm(value);
    return form === undefined
      ? this.#read(message, value, bytes)
      : this.#refused(message, line, form);
  }

  /** The error in place of an answer that does not come, or that does not end. */
  refused(request: RequestId, size: number, cause: "unanswered" | "endless"): unknown {
    this.#unreadableAnswer = { request, size, cause };
    return { jsonrpc: "2.0", id: request, error: unreadable };
  }

  /** A text of the server as a sentence may quote it: cleaned, sanitised and shortened. */
  quoted(text: string, charactersMax: number): string {
    // All of it is cleaned: a value that is cut cannot be found.
    const whole = this.#clean(text).trim();
    const kept = whole.slice(0, charactersMax).toWellFormed();
    return escapeUnsafe(whole.length > charactersMax ? `${kept}…` : kept);
  }

  #taken(line: Line): Message {
    this.#receivedBytes += line.size;
    this.#handleLine("server", line);
    return parseMessage(line);
  }

  #read(message: Message, value: unknown, bytes: Uint8Array): readonly unknown[] {
    if (message.kind === "result") this.#lastResult = { request: message.id.value, bytes };
    return [value];
  }

  #refusedBySize(message: Message, line: Line): readonly unknown[] | undefined {
    if (!("truncated" in message) || !message.truncated) return undefined;
    return this.#refused(message, line, line.size > lineObservedBytesMax ? "long" : "deep");
  }

  #refused(message: Message, { size }: Line, cause: UnreadableAnswer["cause"]): readonly unknown[] {
    if (message.kind !== "result" && message.kind !== "error") return [];
    const id = message.id?.value;
    if (id === undefined) return [];
    this.#unreadableAnswer = { request: id, size, cause };
    return [{ jsonrpc: "2.0", id, error: unreadable }];
  }

  #takeForeign({ bytes }: Line): void {
    this.#foreignLines += 1;
    if (!bytes) return;
    const text = Bun.stripANSI(new TextDecoder().decode(bytes));
    this.#firstForeignLine ??= this.quoted(text, foreignLineCharactersMax);
  }
}

/** The id of a request; undefined for any other message. */
export function requestIdIn(message: unknown): RequestId | undefined {
  if (memberAt(message, "method") === undefined) return undefined;
  const id = memberAt(message, "id");
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** True for a result or an error with this id. */
export function isAnswerTo(message: unknown, id: RequestId | undefined): boolean {
  return memberAt(message, "method") === undefined && memberAt(message, "id") === id;
}

/** The value of a JSON text; undefined for any other text. */
function parsedStrictly(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
