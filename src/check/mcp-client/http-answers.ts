import { tryParseJson } from "#kit/errors.ts";
import { type McpEndpoint, isEventStream, readMediaType } from "#wire/endpoint/mcp-endpoint.ts";
import { isAnswerTo, readRequestId, type RequestId, type Traffic } from "./traffic.ts";
import { answerBytesMax, UnusableAnswer, foreignLinesMax } from "./failure.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { isObject, readString } from "#wire/json.ts";
import { LineGatherer } from "#wire/line.ts";
import { EventReader, type StreamNote } from "#wire/endpoint/event-reader.ts";

export const refusalBytesMax = 64 * 1024;

// The message is the error code, such as `ECONNREFUSED`.
export class UnreachableServer extends Error {}

export type HttpRefusal = {
  readonly method: string;
  readonly status: number;
  // True if the server says where its OAuth metadata is.
  readonly requiresOauth: boolean;
  readonly location: string | undefined;
};

type SentRequest = { readonly id: RequestId; readonly method: string };

const forwardedHeaders = ["content-type", "mcp-session-id", "www-authenticate", "location"];

export class HttpAnswers {
  readonly #endpoint: McpEndpoint;
  readonly #traffic: Traffic;
  #refusal: HttpRefusal | undefined;
  #hasProbeFailed = false;

  constructor(endpoint: McpEndpoint, traffic: Traffic) {
    this.#endpoint = endpoint;
    this.#traffic = traffic;
  }

  get refusal(): HttpRefusal | undefined {
    return this.#refusal;
  }

  get hasProbeFailed(): boolean {
    return this.#hasProbeFailed;
  }

  // Throws UnreachableServer or UnusableAnswer, or the error of an aborted request.
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const request = parseRequest(init.body);
    const answer = await this.#send(url, init);
    const isProbe = request?.method === "server/discover";
    if (isProbe && answer.status >= 500) this.#hasProbeFailed = true;
    if (!answer.ok) return this.#readRefusal(answer, request);
    try {
      if (request) return await this.#readAnswer(answer, request);
    } catch (error) {
      if (isProbe) this.#hasProbeFailed = true;
      throw error;
    }
    if (init.method === "GET") return this.#openStream(answer);
    await discard(answer.body);
    return new Response(null, copyHead(answer));
  };

  async #send(url: string | URL, init: RequestInit): Promise<Response> {
    try {
      // `manual`: a redirect may lead to another host, which must not get our headers.
      // No timeout: a tool may take an hour.
      return await fetch(url, { ...init, redirect: "manual", timeout: false });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw new UnreachableServer(readErrorCode(error));
    }
  }

  async #readRefusal(answer: Response, request: SentRequest | undefined): Promise<Response> {
    const text = await readText(answer);
    const response = new Response(text === "" ? null : text, copyHead(answer));
    if (!request) return response;
    const { status, headers } = answer;
    const mayBeAnswer = status !== 401 && status !== 403 && status < 500;
    const error = mayBeAnswer ? parseErrorAnswer(text, request.id) : undefined;
    if (error) return this.#readAnswer(Response.json(error), request);
    const requiresOauth = /\bresource_metadata\s*=/i.test(headers.get("www-authenticate") ?? "");
    const location = findLocation(headers, this.#endpoint.url);
    this.#refusal = { method: request.method, status, requiresOauth, location };
    return response;
  }

  // A GET asks for messages that answer no request, or resumes a broken stream. The SDK expects status 405 if the
  // server offers no stream for a GET.
  async #openStream(answer: Response): Promise<Response> {
    const { body, headers } = answer;
    if (body && isEventStream(headers)) {
      return new Response(streamAnswerEvents(body, this.#traffic, undefined), copyHead(answer));
    }
    await discard(body);
    return new Response(null, { status: 405 });
  }

  async #readAnswer(answer: Response, request: SentRequest): Promise<Response> {
    const { body, headers } = answer;
    const type = readMediaType(headers);
    if (body && isEventStream(headers)) {
      return new Response(streamAnswerEvents(body, this.#traffic, request.id), copyHead(answer));
    }
    if (!body || type !== "application/json") {
      await discard(body);
      throw new UnusableAnswer(
        `its answer to ${request.method} ${body ? describeWrongType(type) : "has no body"}`,
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
          return this.#traffic.replaceUnreadable(id, gatherer.size, "oversized");
      }
    } catch {
      throw new UnusableAnswer(`its answer to ${method} was cut off`);
    }
    const messages = this.#traffic.receiveBody(gatherer.take());
    const [first, ...others] = messages;
    if (first === undefined) throw new UnusableAnswer(`its answer to ${method} is not JSON-RPC`);
    if (!messages.some((message) => isAnswerTo(message, id))) {
      throw new UnusableAnswer(`its answer to ${method} does not have the request's id`);
    }
    return others.length === 0 ? first : messages;
  }
}

async function discard(body: Response["body"]): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

function parseRequest(body: unknown): SentRequest | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  const id = readRequestId(message);
  return id === undefined ? undefined : { id, method: readString(message, "method") ?? "" };
}

function parseErrorAnswer(text: string, id: RequestId): object | undefined {
  const value = tryParseJson(text);
  const isError = isObject(value) && isAnswerTo(value, id) && value["error"] !== undefined;
  return isError ? value : undefined;
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
  const entries = forwardedHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(entries) };
}

// Omits the query, which may contain a key.
function findLocation(headers: Headers, base: URL): string | undefined {
  const location = headers.get("location");
  if (location === null || !URL.canParse(location, base.href)) return undefined;
  const { origin, pathname } = new URL(location, base.href);
  return `${origin}${pathname}`;
}

function describeWrongType(type: string): string {
  if (type === "") return "has no content type";
  const isShown = /^[\w.+-]+\/[\w.+-]+$/.test(type) && type.length <= 60;
  return `is ${isShown ? type : "of an unknown type"}, neither JSON nor an event stream`;
}

// A server may end every stream and ask for a delay of 0: without a minimum, we would reconnect nonstop.
const reconnectMinMs = 100;

// A server may ask for a longer delay than setTimeout accepts.
const reconnectMaxMs = 60_000;

// If the stream exceeds a limit, or ends and cannot be resumed, an error replaces the missing answer.
export function streamAnswerEvents(
  body: ReadableStream<Uint8Array>,
  traffic: Traffic,
  requestId: RequestId | undefined,
): ReadableStream<Uint8Array> {
  const events = new AnswerEvents(traffic, requestId);
  const chunks = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const chunk = await readChunk(chunks);
        if ("value" in chunk && chunk.value) events.push(chunk.value);
        const isOver = !("value" in chunk) || events.exceedsLimits;
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
  readonly #requestId: RequestId | undefined;
  readonly #reader: EventReader;
  #texts: string[] = [];
  #isAnswered = false;
  #pendingBytes = 0;

  constructor(traffic: Traffic, requestId: RequestId | undefined) {
    this.#traffic = traffic;
    this.#requestId = requestId;
    this.#reader = new EventReader(
      ({ line, id }) => {
        this.#pendingBytes = 0;
        for (const message of traffic.receive(line)) this.#add(message, id);
      },
      (note) => this.#texts.push(formatNote(note)),
    );
  }

  get isResumable(): boolean {
    return this.#reader.hasIds;
  }

  get exceedsLimits(): boolean {
    return this.#pendingBytes > answerBytesMax || this.#traffic.foreignLineCount > foreignLinesMax;
  }

  push(chunk: Uint8Array): void {
    this.#pendingBytes += chunk.length;
    this.#reader.push(chunk);
  }

  take(isOver: boolean): string {
    const isAnswerMissing = isOver && this.#requestId !== undefined && !this.#isAnswered;
    if (isAnswerMissing && (this.exceedsLimits || !this.isResumable)) {
      const cause = this.exceedsLimits ? "oversized" : "unanswered";
      this.#add(
        this.#traffic.replaceUnreadable(this.#requestId, this.#pendingBytes, cause),
        undefined,
      );
    }
    const text = this.#texts.join("");
    this.#texts = [];
    return text;
  }

  #add(message: unknown, eventId: string | undefined): void {
    if (isAnswerTo(message, this.#requestId)) this.#isAnswered = true;
    const head = eventId === undefined ? "" : `id: ${eventId}\n`;
    this.#texts.push(`${head}data: ${JSON.stringify(message)}\n\n`);
  }
}

function formatNote(note: StreamNote): string {
  if ("id" in note) return `id: ${note.id}\ndata:\n\n`;
  const ms = Math.min(Math.max(note.retryMs, reconnectMinMs), reconnectMaxMs);
  return `retry: ${ms}\n\n`;
}
