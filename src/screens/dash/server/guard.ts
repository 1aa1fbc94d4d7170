import { timingSafeEqual } from "node:crypto";
import { dashServerSentences } from "./sentences.ts";

// Each choice in an address is a name.
export const dashAddressCharactersMax = 8_192;

export type GuardedRequest = {
  readonly method: string;
  readonly url: string;
  readonly host: string | null;
  readonly origin: string | null;
  /** `Sec-Fetch-Site`: how the sending page is related to this one; null in other programs. */
  readonly fetchSite: string | null;
  readonly givenToken: string | null;
  readonly keptToken: string | null;
};

export type PageSecret = { readonly port: number; readonly token: string };

type Rejection = { readonly status: number; readonly text: string };

/** `enter` for an address with the token, which a cookie takes over; `pass` for a request with the cookie. */
export type Verdict = "enter" | "pass" | Rejection;

/** A foreign page may have pointed another host name to this machine. */
export function judgeRequest(request: GuardedRequest, { port, token }: PageSecret): Verdict {
  const rejection = rejectionOf(request, port);
  if (rejection) return rejection;
  const { fetchSite, givenToken, keptToken } = request;
  if (givenToken !== null && isEqualText(givenToken, token)) return "enter";
  // A link on a foreign page brings the cookie along with a request for the page itself, and for nothing else.
  if (fetchSite === "cross-site" || fetchSite === "same-site") {
    return { status: 403, text: dashServerSentences.dashOriginForbidden() };
  }
  if (keptToken === null || !isEqualText(keptToken, token)) {
    return { status: 401, text: dashServerSentences.dashTokenMissing() };
  }
  return "pass";
}

function rejectionOf(
  { method, url, host, origin }: GuardedRequest,
  port: number,
): Rejection | undefined {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === null || !own.includes(host.toLowerCase())) {
    return { status: 403, text: dashServerSentences.dashHostForbidden() };
  }
  if (origin !== null && !own.some((name) => origin === `http://${name}`)) {
    return { status: 403, text: dashServerSentences.dashOriginForbidden() };
  }
  if (method !== "GET") {
    return { status: 405, text: dashServerSentences.dashMethodForbidden() };
  }
  if (url.length > dashAddressCharactersMax) {
    return { status: 414, text: dashServerSentences.dashAddressTooLong() };
  }
  return undefined;
}

/** Takes the same time wherever the texts differ. */
function isEqualText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
