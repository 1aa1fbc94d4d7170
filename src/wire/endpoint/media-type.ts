export function mediaType(headers: Headers): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

export function isEventStream(headers: Headers): boolean {
  return mediaType(headers) === "text/event-stream";
}
