import { tryParseJson } from "#kit/errors.ts";
import { type Redactor, keepText, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { readMember } from "#wire/json.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import { type Line } from "#wire/line.ts";
import type { Message, Side } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { hasByteOrderMark, findIgnoreCause, type UnreadableAnswer } from "./failure.ts";

const foreignLineCharactersMax = 80;

export type LineHandler = (from: Side, line: Line) => void;

export type RequestId = string | number;

const unreadable = { code: -31_901, message: "unreadable" };

// Replaces an unreadable answer by an error with the same id, because the SDK would keep waiting. An answer is
// unreadable if clients would ignore it, or if it is too large or too deep to parse.
export class Traffic {
  readonly #handleLine: LineHandler;
  readonly #redact: Redactor;
  #foreignLineCount = 0;
  #firstForeignLine: string | undefined;
  #receivedBytes = 0;
  #lastRequestId: RequestId | undefined;
  #unreadableAnswer: (UnreadableAnswer & { readonly requestId: RequestId }) | undefined;
  #lastResult: { readonly requestId: RequestId; readonly bytes: Uint8Array } | undefined;

  constructor(handleLine: LineHandler, redact: Redactor = keepText) {
    this.#handleLine = handleLine;
    this.#redact = redact;
  }

  get foreignLineCount(): number {
    return this.#foreignLineCount;
  }

  get firstForeignLine(): string | undefined {
    return this.#firstForeignLine;
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  get lastRequestId(): RequestId | undefined {
    return this.#lastRequestId;
  }

  get unreadableAnswer(): (UnreadableAnswer & { readonly requestId: RequestId }) | undefined {
    return this.#unreadableAnswer;
  }

  readResultLine(requestId: RequestId | null): string | undefined {
    const last = this.#lastResult;
    return last?.requestId === requestId ? new TextDecoder().decode(last.bytes) : undefined;
  }

  encodeOutgoing(message: unknown): Uint8Array {
    this.#lastRequestId = readRequestId(message) ?? this.#lastRequestId;
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#handleLine("client", { bytes, size: bytes.length, skim: undefined });
    return bytes;
  }

  receive(line: Line): readonly unknown[] {
    const message = this.#parse(line);
    if (message.kind === "opaque") {
      if (message.reason !== "blank") this.#noteForeignLine(line);
      return [];
    }
    const replacement = this.#replaceTruncated(message, line);
    if (replacement) return replacement;
    if (message.kind === "batch") {
      return message.items.flatMap((item) => this.#replaceOrDrop(item, line, "batch"));
    }
    const bytes = line.bytes ?? new Uint8Array();
    return hasByteOrderMark(bytes)
      ? this.#replaceOrDrop(message, line, "byte_order_mark")
      : this.#acceptMessage(message, line, parseStandardJson(bytes));
  }

  // Like `receive`, for an HTTP body: clients parse it whole, and accept a byte order mark or a batch.
  receiveBody(line: Line): readonly unknown[] {
    const message = this.#parse(line);
    if (message.kind === "opaque") return [];
    const replacement = this.#replaceTruncated(message, line);
    if (replacement) return replacement;
    const value = parseStandardJson(line.bytes ?? new Uint8Array());
    if (message.kind === "batch") {
      const values: readonly unknown[] = Array.isArray(value) ? value : [];
      // Without bytes, so that `readResultLine` does not take the batch for the line of one result.
      const batch = { ...line, bytes: undefined };
      return message.items.flatMap((item, at) => this.#acceptMessage(item, batch, values[at]));
    }
    return this.#acceptMessage(message, line, value);
  }

  replaceUnreadable(requestId: RequestId, size: number, cause: UnreadableAnswer["cause"]): unknown {
    this.#unreadableAnswer = { requestId, size, cause };
    return { jsonrpc: "2.0", id: requestId, error: unreadable };
  }

  quote(text: string, charactersMax: number): string {
    // Redacts the text before shortening it, because `redact` cannot recognize a truncated secret.
    const redactedText = this.#redact(text).trim();
    const excerpt = redactedText.slice(0, charactersMax).toWellFormed();
    return escapeUnsafe(redactedText.length > charactersMax ? `${excerpt}…` : excerpt);
  }

  #parse(line: Line): Message {
    this.#receivedBytes += line.size;
    this.#handleLine("server", line);
    return parseMessage(line);
  }

  #acceptMessage(message: Message, line: Line, value: unknown): readonly unknown[] {
    const cause = value === undefined ? "not_json" : findIgnoreCause(value);
    if (cause !== undefined) return this.#replaceOrDrop(message, line, cause);
    if (message.kind === "result" && line.bytes)
      this.#lastResult = { requestId: message.id.value, bytes: line.bytes };
    return [value];
  }

  #replaceTruncated(message: Message, line: Line): readonly unknown[] | undefined {
    if (!("truncated" in message) || !message.truncated) return undefined;
    return this.#replaceOrDrop(
      message,
      line,
      line.size > lineObservedBytesMax ? "too_long" : "too_deep",
    );
  }

  #replaceOrDrop(
    message: Message,
    { size }: Line,
    cause: UnreadableAnswer["cause"],
  ): readonly unknown[] {
    if (message.kind !== "result" && message.kind !== "error") return [];
    const id = message.id?.value;
    return id === undefined ? [] : [this.replaceUnreadable(id, size, cause)];
  }

  #noteForeignLine({ bytes }: Line): void {
    this.#foreignLineCount += 1;
    if (!bytes) return;
    const text = Bun.stripANSI(new TextDecoder().decode(bytes));
    this.#firstForeignLine ??= this.quote(text, foreignLineCharactersMax);
  }
}

export function readRequestId(message: unknown): RequestId | undefined {
  if (readMember(message, "method") === undefined) return undefined;
  const id = readMember(message, "id");
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

export function isAnswerTo(message: unknown, id: RequestId | undefined): boolean {
  return readMember(message, "method") === undefined && readMember(message, "id") === id;
}

function parseStandardJson(bytes: Uint8Array): unknown {
  return tryParseJson(new TextDecoder().decode(bytes));
}
