import { pickEarliest, type RequestEvent, maximizeUsage, type LoggedUsage } from "./log-event.ts";

export type LoggedRequest = {
  at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
  readonly message: string | null;
  model: string | null;
  usage: LoggedUsage;
  nativeCost: number | null;
  // 1 if `isLogged`; otherwise, the number of requests summed in `usage`, or 0 if unknown.
  readonly count: number;
  // False if only a session's total shows the usage.
  readonly isLogged: boolean;
};

// `events` must list originals before their copies.
export function mergeRequests(events: readonly RequestEvent[]): {
  readonly requests: readonly LoggedRequest[];
  readonly copies: readonly CopiedLine[];
} {
  const index = new RequestIndex();
  const { originals, copied } = separateCopies(events);
  const requests: LoggedRequest[] = [];
  const summaries = new Set<LoggedRequest>();
  const copies: CopiedLine[] = [...copied];
  for (const event of originals) {
    const isSummary = event.merge === "fallback";
    const known = index.find(event);
    const request = known ?? makeRequest(event);
    if (known) mergeEvent(known, event, summaries);
    else requests.push(request);
    if (!known && isSummary) summaries.add(request);
    if (request.conversation !== event.conversation) {
      copies.push({ conversation: event.conversation, original: request.conversation });
    }
    // A summary of known requests is not indexed: otherwise, a later request with the summary's message id would be
    // merged into one of those requests.
    if (!isSummary || summaries.has(request)) index.remember(event, request);
  }
  addSummaryFacts(requests, originals);
  return { requests, copies };
}

function addSummaryFacts(
  requests: readonly LoggedRequest[],
  events: readonly RequestEvent[],
): void {
  const summaries = indexSummaries(events);
  for (const request of requests) {
    const summary = request.message === null ? undefined : summaries.get(request.message);
    request.at ??= summary?.at ?? null;
    request.model ??= summary?.model ?? null;
  }
}

function indexSummaries(events: readonly RequestEvent[]): ReadonlyMap<string, RequestEvent> {
  const summaries = new Map<string, RequestEvent>();
  for (const event of events) {
    const { message } = event.keys;
    if (event.merge === "fallback" && message !== null && !summaries.has(message)) {
      summaries.set(message, event);
    }
  }
  return summaries;
}

function makeRequest(event: RequestEvent): LoggedRequest {
  return {
    ...makeLoggedRequest(event, event.usage),
    isSideChain: event.isSideChain === true,
    message: event.keys.message,
    nativeCost: event.nativeCost ?? null,
  };
}

export function makeLoggedRequest(
  { at, conversation, model }: Pick<RequestEvent, "at" | "conversation" | "model">,
  usage: LoggedUsage,
): LoggedRequest {
  return {
    at,
    conversation,
    isSideChain: false,
    message: null,
    model,
    usage,
    nativeCost: null,
    count: 1,
    isLogged: true,
  };
}

function mergeEvent(
  request: LoggedRequest,
  event: RequestEvent,
  summaries: Set<LoggedRequest>,
): void {
  if (event.isSideChain === true && !request.isSideChain) return;
  if (event.merge === "fallback") return;
  request.at = pickEarliest(request.at, event.at);
  request.model ??= event.model;
  if (summaries.delete(request)) {
    request.usage = event.usage;
    request.nativeCost = event.nativeCost ?? null;
  }
  if (event.merge === "first") return;
  if (event.merge === "largest") request.usage = maximizeUsage(request.usage, event.usage);
  else request.usage = event.usage;
  request.nativeCost = event.nativeCost ?? request.nativeCost;
}

// `conversation` has a copy of a line of the conversation `original`.
type CopiedLine = { readonly conversation: string; readonly original: string };

// A fork copies messages under new ids, but with the original's `copy` key.
function separateCopies(events: readonly RequestEvent[]): {
  readonly originals: readonly RequestEvent[];
  readonly copied: readonly CopiedLine[];
} {
  const firstByCopyKey = new Map<string, RequestEvent>();
  const originalMessages = new Set<string>();
  const copies = new Map<string, CopiedLine>();
  for (const event of events) {
    const { conversation } = event;
    const { message, copy } = event.keys;
    if (copy === undefined || message === null || originalMessages.has(message)) continue;
    const original = firstByCopyKey.get(copy);
    if (original) copies.set(message, { conversation, original: original.conversation });
    else {
      firstByCopyKey.set(copy, event);
      originalMessages.add(message);
    }
  }
  if (copies.size === 0) return { originals: events, copied: [] };
  const isOriginal = ({ keys: { message } }: RequestEvent): boolean =>
    message === null || !copies.has(message) || originalMessages.has(message);
  return { originals: events.filter(isOriginal), copied: [...copies.values()] };
}

type MessageRequests = {
  readonly first: LoggedRequest;
  withoutId: LoggedRequest | undefined;
  // The first request id, and its request.
  id: string | undefined;
  request: LoggedRequest | undefined;
  // By request id. Undefined for most messages, which have no second request id.
  others: Map<string, LoggedRequest> | undefined;
};

// Events with the same message id but two request ids are two requests, because gateways reuse message ids.
// In a sub-agent, however, an event with a second request id is a copy of the first request.
class RequestIndex {
  readonly #byLine = new Map<string, LoggedRequest>();
  readonly #byMessage = new Map<string, MessageRequests>();

  find({ keys, isSideChain = false }: RequestEvent): LoggedRequest | undefined {
    const { message, request, line } = keys;
    if (message === null) return line === null ? undefined : this.#byLine.get(line);
    const entry = this.#byMessage.get(message);
    if (!entry) return undefined;
    if (request === null) return entry.withoutId ?? entry.first;
    const named = entry.id === request ? entry.request : entry.others?.get(request);
    return named ?? entry.withoutId ?? (isSideChain ? entry.first : undefined);
  }

  remember({ keys }: RequestEvent, merged: LoggedRequest): void {
    const { message, request, line } = keys;
    if (message === null) {
      if (line !== null && !this.#byLine.has(line)) this.#byLine.set(line, merged);
      return;
    }
    const entry = this.#byMessage.get(message) ?? makeMessageRequests(merged);
    this.#byMessage.set(message, entry);
    if (request === null) entry.withoutId ??= merged;
    else addById(entry, request, merged);
  }
}

function makeMessageRequests(first: LoggedRequest): MessageRequests {
  return { first, withoutId: undefined, id: undefined, request: undefined, others: undefined };
}

function addById(entry: MessageRequests, id: string, merged: LoggedRequest): void {
  entry.withoutId = undefined;
  if (entry.id === undefined) {
    entry.id = id;
    entry.request = merged;
  } else if (entry.id !== id) {
    entry.others ??= new Map();
    if (!entry.others.has(id)) entry.others.set(id, merged);
  }
}
