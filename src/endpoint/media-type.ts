/** The type of a body without its parameters, in small letters; empty when it has none. */
export function mediaType(headers: Headers): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

/** True for a stream of events. */
export function isEventStream(headers: Headers): boolean {
  return mediaType(headers) === "text/event-stream";
}
