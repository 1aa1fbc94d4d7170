import { isEventStream, mediaType } from "#endpoint/media-type.ts";

/** The form of the messages of an answer: a stream of events, or one message or batch that is the whole body. */
export type BodyForm = "events" | "whole";

/** The form of an answer to a request with that method; undefined where clients read no message in it. */
export function bodyForm(
  method: string,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): BodyForm | undefined {
  // Clients read the text of a rejection of any type.
  if (status >= 400) return method === "POST" ? "whole" : undefined;
  // They read the answer to GET of any type as a stream of events.
  if (method === "GET") return status < 300 ? "events" : undefined;
  if (isEventStream(headers)) return "events";
  return mediaType(headers) === "application/json" ? "whole" : undefined;
}
