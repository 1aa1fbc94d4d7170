import { timingSafeEqual } from "node:crypto";
import { sentences } from "#errors.ts";
import { dashAddressCharactersMax } from "#limits/dash.ts";

/** The parts of a request that decide whether it is answered. */
export type GuardedRequest = {
  readonly method: string;
  readonly url: string;
  readonly host: string | null;
  readonly origin: string | null;
  /** What a browser says about the page that sent the request; null in other programs. */
  readonly fetchSite: string | null;
  /** The token of the address, and the one of the cookie. */
  readonly givenToken: string | null;
  readonly keptToken: string | null;
};

/** The address and the secret of the page. */
export type Keep = { readonly port: number; readonly token: string };

/** The answer to a request that may not read anything: a status and a sentence. */
export type Rejection = { readonly status: number; readonly text: string };

/** `enter` for an address with the token, which a cookie takes over; `pass` for a request with the cookie. */
export type Verdict = "enter" | "pass" | Rejection;

/** The verdict on a request. A name of another host is one that a foreign page has pointed to this machine. */
export function judgeRequest(request: GuardedRequest, { port, token }: Keep): Verdict {
  const { method, url, host, origin, givenToken, keptToken } = request;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === null || !own.includes(host.toLowerCase())) {
    return { status: 403, text: sentences.dashHostForbidden() };
  }
  if (origin !== null && !own.some((name) => origin === `http://${name}`)) {
    return { status: 403, text: sentences.dashOriginForbidden() };
  }
  if (method !== "GET" && method !== "HEAD") {
    return { status: 405, text: sentences.dashMethodForbidden() };
  }
  if (url.length > dashAddressCharactersMax) {
    return { status: 414, text: sentences.dashPathUnknown() };
  }
  if (givenToken !== null && isEqual(givenToken, token)) return "enter";
  if (keptToken === null || !isEqual(keptToken, token)) {
    return { status: 401, text: sentences.dashTokenMissing() };
  }
  // A link on a foreign page brings the cookie along with a request for the page itself, and for nothing else.
  const isForeign = request.fetchSite === "cross-site" || request.fetchSite === "same-site";
  if (isForeign) return { status: 403, text: sentences.dashOriginForbidden() };
  return "pass";
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
