import { isEventStream, type McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { joinBytes } from "#wire/line.ts";
import { keepEndToEnd, makeRequestHeaders, makeTargetUrl } from "./headers.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";

// If a body up to this size ends soon enough, it is sent in one write with its head. Most answers are smaller.
export const shortBodyBytesMax = 64 * 1024;

// How long to wait for the end of a short body. A server that has its whole answer sends it at once.
const shortBodyMaxMs = 10;

export type RelayHooks = {
  // The next chunk is read when the returned promise, if any, has resolved.
  readonly onChunk: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly onEnd: (isWhole: boolean) => void;
  readonly onLeave: () => void;
};

const bodilessStatuses: ReadonlySet<number> = new Set([101, 204, 205, 304]);

export async function relayAnswer(answer: ServerAnswer, hooks: RelayHooks): Promise<Response> {
  const { status, body } = answer;
  const head = { status, headers: keepEndToEnd(answer.headers) };
  if (!body || bodilessStatuses.has(status)) {
    // A body that the server sends anyway would keep the connection open.
    void body?.cancel().catch(() => undefined);
    hooks.onEnd(true);
    return new Response(null, head);
  }
  const source = body.getReader();
  // The runtime adds a missing content type to an answer of bytes, but not to a stream.
  const isStreamed = isEventStream(answer.headers) || !answer.headers.has("content-type");
  if (isStreamed) return new Response(relay(source, [], hooks), head);
  const { kind, chunks, next } = await readShortBody(source);
  if (kind === "whole") {
    const bytes = joinBytes(chunks);
    void hooks.onChunk(bytes);
    hooks.onEnd(true);
    return new Response(bytes, head);
  }
  // A broken body is reported here, because `relay` does not notice it if the client leaves before reading that far.
  if (kind === "broken") hooks.onEnd(false);
  return new Response(relay(source, chunks, hooks, next), head);
}

type BodyReader = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
};
type PendingRead = ReturnType<BodyReader["read"]>;

type ShortBody = {
  readonly kind: "whole" | "unfinished" | "broken";
  readonly chunks: Uint8Array[];
  readonly next?: PendingRead;
};

// Waits briefly for the end of a short body: one write is faster than a stream.
async function readShortBody(source: BodyReader): Promise<ShortBody> {
  const chunks: Uint8Array[] = [];
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => timeout.resolve(undefined), shortBodyMaxMs);
  let next: PendingRead | undefined;
  try {
    for (let size = 0; size <= shortBodyBytesMax;) {
      next = source.read();
      const result = await Promise.race([next, timeout.promise]);
      if (!result) return { kind: "unfinished", chunks, next };
      if (result.done || !result.value) return { kind: "whole", chunks };
      chunks.push(result.value);
      size += result.value.length;
    }
    return { kind: "unfinished", chunks };
  } catch {
    return { kind: "broken", chunks, ...(next ? { next } : {}) };
  } finally {
    clearTimeout(timer);
  }
}

// Reads one chunk at a time, so that the server must also pause when the client stops reading.
function relay(
  source: BodyReader,
  chunks: Uint8Array[],
  { onChunk, onEnd, onLeave }: RelayHooks,
  next?: PendingRead,
): ReadableStream<Uint8Array> {
  let pendingRead = next;
  const readNext = async (): Promise<Uint8Array | undefined> => {
    const first = chunks.shift();
    if (first) return first;
    const { value } = await (pendingRead ?? source.read());
    pendingRead = undefined;
    return value;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const chunk = await readNext();
        if (!chunk) {
          controller.close();
          onEnd(true);
          return;
        }
        controller.enqueue(chunk);
        const room = onChunk(chunk);
        if (room) await room;
      } catch {
        // Passes no reason, because the runtime would print it.
        controller.error();
        onEnd(false);
      }
    },
    async cancel() {
      onLeave();
      await source.cancel().catch(() => undefined);
    },
  });
}

export function toStream(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  onLeave: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch {
        // Passes no reason, because the runtime would print it.
        controller.error();
      }
    },
    cancel() {
      onLeave();
      // `return` waits for a pending `next`, and `onLeave` makes that `next` fail.
      void chunks.return().catch(() => undefined);
    },
  });
}

export type RequestHead = { readonly method: string; readonly url: URL; readonly headers: Headers };

export type AnswerHead = { readonly status: number; readonly headers: Headers };

export type ServerAnswer = AnswerHead & { readonly body: ReadableStream<Uint8Array> | null };

type Sending = {
  readonly request: RequestHead;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
  readonly isGated: boolean; // asks for an answer without content coding
};

const [statusMin, statusMax] = [200, 599];

// A `reason` is a system error code or a clause.
export async function send(
  upstream: McpEndpoint,
  { request, body, signal, isGated }: Sending,
): Promise<ServerAnswer | { readonly reason: string }> {
  const { method, url } = request;
  const headers = makeRequestHeaders(request.headers, upstream.headers);
  if (isGated) headers.set("accept-encoding", "identity");
  try {
    const answer = await fetch(makeTargetUrl(upstream, url), {
      method,
      headers,
      ...(body ? { body } : {}),
      // A redirect may lead to another host, which must not get this host's headers.
      redirect: "manual",
      decompress: false,
      // A stream may be silent for hours.
      timeout: false,
      signal,
    });
    if (answer.status >= statusMin && answer.status <= statusMax) return answer;
    await answer.body?.cancel();
    return { reason: `the status ${answer.status} is not between 200 and 599` };
  } catch (error) {
    return { reason: readErrorCode(error) };
  }
}

export const sliceMaxMs = 2;

// If more than `unreadBytesMax` forwarded bytes are unmetered, mcp-meter meters all of them before it forwards more.
export const unreadBytesMax = 1024 * 1024;

const pieceBytesMax = 8 * 1024;

export class ForwardedChunks {
  readonly #read: (chunk: Uint8Array) => Promise<void>;
  #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  #reading: Promise<void> | undefined;

  constructor(read: (chunk: Uint8Array) => Promise<void>) {
    this.#read = read;
  }

  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  push(chunk: Uint8Array): Promise<void> | undefined {
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    this.#reading ??= this.#readAll();
    return this.#unreadBytes > unreadBytesMax ? this.#reading : undefined;
  }

  async #readAll(): Promise<void> {
    await nextTurn();
    for await (const piece of yieldInTurns(this.#takeUnread())) await this.#read(piece);
    this.#reading = undefined;
  }

  *#takeUnread(): Generator<Uint8Array, void, undefined> {
    while (this.#unread.length > 0) {
      for (const chunk of this.#unread.splice(0)) {
        yield chunk;
        this.#unreadBytes -= chunk.length;
      }
    }
  }
}

// At the end of a turn of the event loop, the runtime sends the bytes that it was given.
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

// Shared by all waiters, so that each gets a separate turn.
let lastTurn = Promise.resolve();

export async function* yieldInTurns(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sinceMs = performance.now();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytesMax) {
      if (performance.now() - sinceMs > sliceMaxMs) {
        lastTurn = lastTurn.then(nextTurn);
        await lastTurn;
        sinceMs = performance.now();
      }
      yield chunk.subarray(at, at + pieceBytesMax);
    }
  }
}
