import type { RequestEvent } from "./log-event.ts";

type MessageRequests<Request> = {
  readonly first: Request;
  unnamed: Request | undefined;
  /** Further ids, which are rare, are in `others`. */
  id: string | undefined;
  request: Request | undefined;
  others: Map<string, Request> | undefined;
};

/**
 * Gateways reuse the id of a message for another request, so two request ids are two requests, unless the line is a
 * sub-agent's: it copies its parent's lines under new request ids.
 */
export class RequestIndex<Request> {
  readonly #lines = new Map<string, Request>();
  readonly #messages = new Map<string, MessageRequests<Request>>();

  find({ keys, isSideChain }: RequestEvent): Request | undefined {
    const { message, request, line } = keys;
    if (message === null) return line === null ? undefined : this.#lines.get(line);
    const known = this.#messages.get(message);
    if (!known) return undefined;
    if (request === null) return known.unnamed ?? known.first;
    const named = known.id === request ? known.request : known.others?.get(request);
    return named ?? known.unnamed ?? (isSideChain ? known.first : undefined);
  }

  remember({ keys }: RequestEvent, found: Request): void {
    const { message, request, line } = keys;
    if (message === null) {
      if (line !== null && !this.#lines.has(line)) this.#lines.set(line, found);
      return;
    }
    const known = this.#messages.get(message) ?? emptyFor(found);
    this.#messages.set(message, known);
    if (request === null) known.unnamed ??= found;
    else addNamed(known, request, found);
  }
}

function emptyFor<Request>(first: Request): MessageRequests<Request> {
  return { first, unnamed: undefined, id: undefined, request: undefined, others: undefined };
}

/** A line with a request id gives it to the request that had none. */
function addNamed<Request>(known: MessageRequests<Request>, id: string, found: Request): void {
  known.unnamed = undefined;
  if (known.id === undefined) {
    known.id = id;
    known.request = found;
  } else if (known.id !== id) {
    known.others ??= new Map();
    if (!known.others.has(id)) known.others.set(id, found);
  }
}
