import { type McpEndpoint, isEventStream, readMediaType } from "#wire/endpoint/mcp-endpoint.ts";
import { isAnswerTo, readRequestId, type RequestId, type Traffic } from "./traffic.ts";
import { answerBytesMax, UselessAnswer, foreignLinesMax } from "./failure.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { isObject, readString } from "#wire/json.ts";
import { LineGatherer } from "#wire/line.ts";
import { EventReader, type StreamNote } from "#wire/endpoint/event-reader.ts";

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
  // The server names another one that issues tokens.
  readonly wantsOauth: boolean;
  readonly location: string | undefined;
};

type SentRequest = { readonly id: RequestId; readonly method: string };

const keptHeaders = ["content-type", "mcp-session-id", "www-authenticate", "location"];

// Statuses about access: an error in the body does not answer the request.
const hardRefusals: ReadonlySet<number> = new Set([401, 403]);

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

  get hasFailedProbe(): boolean {
    return this.#hasFailedProbe;
  }

  // Throws NotReached without an answer, UselessAnswer if the answer does not belong to the request.
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const request = parseRequest(init.body);
    const answer = await this.#send(url, init);
    const isProbe = request?.method === "server/discover";
    if (isProbe && answer.status >= 500) this.#hasFailedProbe = true;
    if (!answer.ok) return this.#refused(answer, request);
    try {
      if (request) return await this.#answered(answer, request);
    } catch (error) {
      if (isProbe) this.#hasFailedProbe = true;
      throw error;
    }
    if (init.method === "GET") return this.#opened(answer);
    await discard(answer.body);
    return new Response(null, copyHead(answer));
  };

  async #send(url: string | URL, init: RequestInit): Promise<Response> {
    try {
      // A redirect may lead to another host, which must not get our headers; a tool may take an hour.
      return await fetch(url, { ...init, redirect: "manual", timeout: false });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw new NotReached(readErrorCode(error));
    }
  }

  // A JSON-RPC error is an answer with almost any status.
  async #refused(answer: Response, request: SentRequest | undefined): Promise<Response> {
    const text = await readText(answer);
    const forwarded = new Response(text === "" ? null : text, copyHead(answer));
    if (!request) return forwarded;
    const { status, headers } = answer;
    const error = isHard(status) ? undefined : parseError(text, request.id);
    if (error) return this.#answered(Response.json(error), request);
    const wantsOauth = /\bresource_metadata\s*=/i.test(headers.get("www-authenticate") ?? "");
    const location = findLocation(headers, this.#endpoint.url);
    this.#refusal = { method: request.method, status, wantsOauth, location };
    return forwarded;
  }

  // The stream of the server's own messages; if there is none, the status says so.
  async #opened(answer: Response): Promise<Response> {
    const { body, headers } = answer;
    if (body && isEventStream(headers)) {
      return new Response(streamAnswerEvents(body, this.#traffic, undefined), copyHead(answer));
    }
    await discard(body);
    return new Response(null, { status: 405 });
  }

  async #answered(answer: Response, request: SentRequest): Promise<Response> {
    const { body, headers } = answer;
    const type = readMediaType(headers);
    if (body && isEventStream(headers)) {
      return new Response(streamAnswerEvents(body, this.#traffic, request.id), copyHead(answer));
    }
    if (!body || type !== "application/json") {
      await discard(body);
      const form = type === "" ? "has no body" : `is ${formatType(type)}`;
      throw new UselessAnswer(
        `its answer to ${request.method} ${form}, neither JSON nor an event stream`,
      );
    }
    return Response.json(await this.#readBody(body, request), copyHead(answer));
  }

  async #readBody(body: ReadableStream<Uint8Array>, { id, method }: SentRequest): Promise<unknown> {
    const gatherer = new LineGatherer();
    try {
      for await (const chunk of body) {
        gatherer.add(chunk);
        if (gatherer.size > answerBytesMax)
          return this.#traffic.refused(id, gatherer.size, "endless");
      }
    } catch {
      throw new UselessAnswer(`its answer to ${method} was cut off`);
    }
    const messages = this.#traffic.receivedBody(gatherer.take());
    const [first, ...others] = messages;
    if (first === undefined) throw new UselessAnswer(`its answer to ${method} is not JSON-RPC`);
    if (!messages.some((message) => isAnswerTo(message, id))) {
      throw new UselessAnswer(`its answer to ${method} does not have the request's id`);
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

function parseRequest(body: unknown): SentRequest | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  const id = readRequestId(message);
  return id === undefined ? undefined : { id, method: readString(message, "method") ?? "" };
}

function parseError(text: string, id: RequestId): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isError = isObject(value) && isAnswerTo(value, id) && value["error"] !== undefined;
    return isError ? value : undefined;
  } catch {
    return undefined;
  }
}

async function readText({ body }: Response): Promise<string> {
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

function copyHead({ status, headers }: Response): ResponseInit {
  const entries = keptHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(entries) };
}

// Without the query, which may hold a key.
function findLocation(headers: Headers, base: URL): string | undefined {
  const location = headers.get("location");
  if (location === null || !URL.canParse(location, base.href)) return undefined;
  const { origin, pathname } = new URL(location, base.href);
  return `${origin}${pathname}`;
}

function formatType(type: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type.length <= 60 ? type : "of an unknown type";
}

// A server may ask for no delay, and end the stream each time.
const streamReturnMinMs = 100;

// A timer cannot hold every number that a server may name.
const streamReturnMaxMs = 60_000;

// Ids and retry times stay. A missing answer becomes an error unless the stream can resume.
export function streamAnswerEvents(
  body: ReadableStream<Uint8Array>,
  traffic: Traffic,
  request: RequestId | undefined,
): ReadableStream<Uint8Array> {
  const events = new AnswerEvents(traffic, request);
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
  readonly #request: RequestId | undefined;
  readonly #reader: EventReader;
  #texts: string[] = [];
  #isAnswered = false;
  #waitingBytes = 0;

  constructor(traffic: Traffic, request: RequestId | undefined) {
    this.#traffic = traffic;
    this.#request = request;
    this.#reader = new EventReader(
      ({ line, id }) => {
        this.#waitingBytes = 0;
        for (const message of traffic.received(line)) this.#add(message, id);
      },
      (note) => this.#texts.push(formatNote(note)),
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

  take(isOver: boolean): string {
    const isMissing = isOver && this.#request !== undefined && !this.#isAnswered;
    if (isMissing && (this.isHopeless || !this.isResumable)) {
      const cause = this.isHopeless ? "endless" : "unanswered";
      this.#add(this.#traffic.refused(this.#request, this.#waitingBytes, cause), undefined);
    }
    const text = this.#texts.join("");
    this.#texts = [];
    return text;
  }

  #add(message: unknown, id: string | undefined): void {
    if (isAnswerTo(message, this.#request)) this.#isAnswered = true;
    const head = id === undefined ? "" : `id: ${id}\n`;
    this.#texts.push(`${head}data: ${JSON.stringify(message)}\n\n`);
  }
}

function formatNote(note: StreamNote): string {
  if ("id" in note) return `id: ${note.id}\ndata:\n\n`;
  const ms = Math.min(Math.max(note.retryMs, streamReturnMinMs), streamReturnMaxMs);
  return `retry: ${ms}\n\n`;
}
