const own = String.raw`(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?`;
const ownHost = new RegExp(`^${own}$`, "i");
const ownOrigin = new RegExp(`^https?://${own}$`, "i");

/**
 * The header by which a request is foreign; undefined for one of this machine. A name of another host is one that a foreign
 * page has pointed to this machine, and an origin of another host is that page.
 */
export function foreignHeader(headers: Headers): "Host" | "Origin" | undefined {
  if (!ownHost.test(headers.get("host") ?? "")) return "Host";
  const origin = headers.get("origin");
  return origin === null || ownOrigin.test(origin) ? undefined : "Origin";
}
