import { type McpEndpoint, isEventStream, mediaType } from "#wire/endpoint/mcp-endpoint.ts";
import { isAnswerTo, requestIdIn, type RequestId, type Traffic } from "./traffic.ts";
import { answerBytesMax, UselessAnswer, foreignLinesMax } from "./failure.ts";
import { errorCode } from "#kit/os/file-errors.ts";
import { isObject, textAt } from "#wire/json.ts";
import { LineGatherer } from "#wire/line.ts";
import { EventReader, type StreamNote } from "#wire/endpoint/event-reader.ts";

// A JSON-RPC error has a sentence or two.
export const refusalBytesMax = 64 * 1024;

export class NotReached extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export type HttpRefusal = {
  readonly method: string;
  readonly status: number;
  /** The server names another one that gives tokens. */
  readonly wantsOauth: boolean;
  readonly location: string | undefined;
};

type AskedRequest = { readonly id: RequestId; readonly method: string };

const kept = ["content-type", "mcp-session-id", "www-authenticate", "location"];

/** Statuses about access: an error in their bodies does not answer the request. */
const hardRefusals: ReadonlySet<number> = new Set([401, 403]);

/** Reads every answer within limits that the SDK lacks, and passes on the messages that clients read in it. */
export class HttpAnswers {
  readonly #endpoint: McpEndpoint;
  readonly #traffic: Traffic;
  #refusal: HttpRefusal | undefined;
  #hasFailedProbe = false;

  constructor(endpoint: McpEndpoint, traffic: Traffic) {
    this.#endpoint = endpoint;
    this.#traffic = traffic;
  }

  get refusal(): HttpRefusal | undefined {
    return this.#refusal;
  }

  /** The probe for the newer era broke the server, or its answer was none. */
  get hasFailedProbe(): boolean {
    return this.#hasFailedProbe;
  }

  /** Throws NotReached without an answer, UselessAnswer when the answer does not belong to the request. */
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const asked = askedIn(init.body);
    const answer = await this.#send(url, init);
    const isProbe = asked?.method === "server/discover";
    if (isProbe && answer.status >= 500) this.#hasFailedProbe = true;
    if (!answer.ok) return this.#refused(answer, asked);
    try {
      if (asked) return await this.#answered(answer, asked);
    } catch (error) {
      if (isProbe) this.#hasFailedProbe = true;
      throw error;
    }
    if (init.method === "GET") return this.#opened(answer);
    await discard(answer.body);
    return new Response(null, headOf(answer));
  };

  async #send(url: string | URL, init: RequestInit): Promise<Response> {
    try {
      // A redirect may lead to another host, which must not get the headers of this one; a tool may think for an hour.
      return await fetch(url, { ...init, redirect: "manual", timeout: false });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw new NotReached(errorCode(error));
    }
  }

  /** A JSON-RPC error is an answer with any status but a few. */
  async #refused(answer: Response, asked: AskedRequest | undefined): Promise<Response> {
    const text = await textOf(answer);
    const passed = new Response(text === "" ? null : text, headOf(answer));
    if (!asked) return passed;
    const { status, headers } = answer;
    const error = isHard(status) ? undefined : errorIn(text, asked.id);
    if (error) return this.#answered(Response.json(error), asked);
    const wantsOauth = /\bresource_metadata\s*=/i.test(headers.get("www-authenticate") ?? "");
    const location = locationOf(headers, this.#endpoint.url);
    this.#refusal = { method: asked.method, status, wantsOauth, location };
    return passed;
  }

  /** The stream of the server's own messages; without one, the answer says so. */
  async #opened(answer: Response): Promise<Response> {
    const { body, headers } = answer;
    if (body && isEventStream(headers)) {
      return new Response(answerEvents(body, this.#traffic, undefined), headOf(answer));
    }
    await discard(body);
    return new Response(null, { status: 405 });
  }

  async #answered(answer: Response, asked: AskedRequest): Promise<Response> {
    const { body, headers } = answer;
    const type = mediaType(headers);
    if (body && isEventStream(headers)) {
      return new Response(answerEvents(body, this.#traffic, asked.id), headOf(answer));
    }
    if (!body || type !== "application/json") {
      await discard(body);
      const form = type === "" ? "has no body" : `is ${shortType(type)}`;
      throw new UselessAnswer(
        `its answer to ${asked.method} ${form}, not JSON or a stream of events`,
      );
    }
    return Response.json(await this.#readBody(body, asked), headOf(answer));
  }

  async #readBody(
    body: ReadableStream<Uint8Array>,
    { id, method }: AskedRequest,
  ): Promise<unknown> {
    const gatherer = new LineGatherer();
    try {
      for await (const chunk of body) {
        gatherer.add(chunk);
        if (gatherer.size > answerBytesMax)
          return this.#traffic.refused(id, gatherer.size, "endless");
      }
    } catch {
      throw new UselessAnswer(`its answer to ${method} broke off`);
    }
    const messages = this.#traffic.receivedBody(gatherer.take());
    const [first, ...others] = messages;
    if (first === undefined) throw new UselessAnswer(`its answer to ${method} is not JSON-RPC`);
    if (!messages.some((message) => isAnswerTo(message, id))) {
      throw new UselessAnswer(`its answer to ${method} does not have the id of the request`);
    }
    return others.length === 0 ? first : messages;
  }
}

async function discard(body: Response["body"]): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

function isHard(status: number): boolean {
  return hardRefusals.has(status) || status >= 500;
}

function askedIn(body: unknown): AskedRequest | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  const id = requestIdIn(message);
  return id === undefined ? undefined : { id, method: textAt(message, "method") ?? "" };
}

function errorIn(text: string, id: RequestId): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isError = isObject(value) && isAnswerTo(value, id) && value["error"] !== undefined;
    return isError ? value : undefined;
  } catch {
    return undefined;
  }
}

async function textOf({ body }: Response): Promise<string> {
  const gatherer = new LineGatherer(refusalBytesMax);
  try {
    for await (const chunk of body ?? []) {
      gatherer.add(chunk);
      if (gatherer.size > refusalBytesMax) return "";
    }
  } catch {
    return "";
  }
  return new TextDecoder().decode(gatherer.take().bytes);
}

function headOf({ status, headers }: Response): ResponseInit {
  const found = kept.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(found) };
}

/** Without the query, which may hold a key. */
function locationOf(headers: Headers, base: URL): string | undefined {
  const location = headers.get("location");
  if (location === null || !URL.canParse(location, base.href)) return undefined;
  const { origin, pathname } = new URL(location, base.href);
  return `${origin}${pathname}`;
}

function shortType(type: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type.length <= 60 ? type : "of an unknown type";
}

// A server may ask for none, and end the stream each time.
const streamReturnMinMs = 100;

// A timer cannot hold any number that a server may name.
const streamReturnMaxMs = 60_000;

/** One event per message; ids and the time before a return stay. A missing answer to `asked` is an error at the end, unless the stream can be resumed. */
export function answerEvents(
  body: ReadableStream<Uint8Array>,
  traffic: Traffic,
  asked: RequestId | undefined,
): ReadableStream<Uint8Array> {
  const events = new AnswerEvents(traffic, asked);
  const chunks = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const chunk = await readChunk(chunks);
        if ("value" in chunk && chunk.value) events.push(chunk.value);
        const isOver = !("value" in chunk) || events.isHopeless;
        const text = events.take(isOver);
        if (text !== "") controller.enqueue(new TextEncoder().encode(text));
        if (isOver) {
          if ("error" in chunk && events.isResumable) controller.error(chunk.error);
          else controller.close();
          await chunks.cancel().catch(() => undefined);
          return;
        }
        if (text !== "") return;
      }
    },
    cancel: (reason) => chunks.cancel(reason),
  });
}

type Chunk = { readonly value: Uint8Array } | { readonly error: unknown } | { readonly end: true };

type Chunks = { read(): Promise<{ readonly value?: Uint8Array | undefined }> };

async function readChunk(chunks: Chunks): Promise<Chunk> {
  try {
    const { value } = await chunks.read();
    return value ? { value } : { end: true };
  } catch (error) {
    return { error };
  }
}

class AnswerEvents {
  readonly #traffic: Traffic;
  readonly #asked: RequestId | undefined;
  readonly #reader: EventReader;
  #texts: string[] = [];
  #isAnswered = false;
  #waitingBytes = 0;

  constructor(traffic: Traffic, asked: RequestId | undefined) {
    this.#traffic = traffic;
    this.#asked = asked;
    this.#reader = new EventReader(
      ({ line, id }) => {
        this.#waitingBytes = 0;
        for (const message of traffic.received(line)) this.#add(message, id);
      },
      (note) => this.#texts.push(noteText(note)),
    );
  }

  get isResumable(): boolean {
    return this.#reader.hasIds;
  }

  get isHopeless(): boolean {
    return this.#waitingBytes > answerBytesMax || this.#traffic.foreignLines > foreignLinesMax;
  }

  push(chunk: Uint8Array): void {
    this.#waitingBytes += chunk.length;
    this.#reader.push(chunk);
  }

  /** At the end with an error for a missing answer. */
  take(isOver: boolean): string {
    const isMissing = isOver && this.#asked !== undefined && !this.#isAnswered;
    if (isMissing && (this.isHopeless || !this.isResumable)) {
      const cause = this.isHopeless ? "endless" : "unanswered";
      this.#add(this.#traffic.refused(this.#asked, this.#waitingBytes, cause), undefined);
    }
    const text = this.#texts.join("");
    this.#texts = [];
    return text;
  }

  #add(message: unknown, id: string | undefined): void {
    if (isAnswerTo(message, this.#asked)) this.#isAnswered = true;
    const head = id === undefined ? "" : `id: ${id}\n`;
    this.#texts.push(`${head}data: ${JSON.stringify(message)}\n\n`);
  }
}

function noteText(note: StreamNote): string {
  if ("id" in note) return `id: ${note.id}\ndata:\n\n`;
  const ms = Math.min(Math.max(note.retryMs, streamReturnMinMs), streamReturnMaxMs);
  return `retry: ${ms}\n\n`;
}
