import { isEventStream, mediaType } from "#endpoint/media-type.ts";
import { isRedirect } from "./redirects.ts";

/** The head of an answer. */
export type AnswerHead = { readonly status: number; readonly headers: Headers };

/** The form of the messages of an answer: a stream of events, or one message or batch that is the whole body. */
export type BodyForm = "events" | "whole";

/** True for an answer whose body clients read as the text of an error. */
export function isRejection(head: AnswerHead): boolean {
  return head.status >= 300 && !isRedirect(head);
}

/** The form of an answer to a request with that method; undefined where clients read no message in it. */
export function bodyForm(method: string, head: AnswerHead): BodyForm | undefined {
  const { status, headers } = head;
  // Clients read the text of a rejection of any type.
  if (isRejection(head)) return method === "POST" ? "whole" : undefined;
  if (status >= 300) return undefined;
  // They read the answer to GET of any type as a stream of events.
  if (method === "GET") return "events";
  if (isEventStream(headers)) return "events";
  return mediaType(headers) === "application/json" ? "whole" : undefined;
}
