import { isEventStream, mediaType } from "#wire/endpoint/media-type.ts";
import type { AnswerHead } from "./send.ts";
import { isRedirect } from "./redirects.ts";

/** The form of the messages of an answer: a stream of events, or one message or batch that is the whole body. */
export type BodyForm = "events" | "whole";

export function isRejection(head: AnswerHead): boolean {
  return head.status >= 300 && !isRedirect(head);
}

/** Statuses of answers that clients take for one without a message. */
const messageless: ReadonlySet<number> = new Set([202, 204]);

/** An answer in which a client must find messages, of a type that none come in: clients differ in the types that they read, and quote others in errors. */
export function isUnreadable(head: AnswerHead): boolean {
  const { status } = head;
  return status < 300 && !messageless.has(status) && bodyForm("POST", head) === undefined;
}

/** A type that all clients read in the same way. */
const plainType = /^(?:application\/json|text\/event-stream)(?:; ?charset=utf-8)?$/i;

/** The type of messages in place of one with parameters, by which clients choose another form or charset. */
export function withPlainType(headers: Headers): Headers {
  if (plainType.test(headers.get("content-type") ?? "")) return headers;
  const plain = new Headers(headers);
  plain.set("content-type", mediaType(headers));
  return plain;
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
