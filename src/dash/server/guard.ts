import { sentences } from "#errors.ts";
import { dashAddressCharactersMax } from "#limits/dash.ts";
import { isEqualText } from "./equal-text.ts";

/** The parts of a request that decide whether it is answered. */
export type GuardedRequest = {
  readonly method: string;
  readonly url: string;
  /** True for the path at which a page that was open before proves its key. */
  readonly isComeback: boolean;
  readonly host: string | null;
  readonly origin: string | null;
  /** `Sec-Fetch-Site`: how the page that sent the request is related to this one; null in other programs. */
  readonly fetchSite: string | null;
  /** The token of the address, and the one of the cookie. */
  readonly givenToken: string | null;
  readonly keptToken: string | null;
};

/** The address and the secret of the page. */
export type PageSecret = { readonly port: number; readonly token: string };

/** The answer to a request that may not read anything: a status and a sentence. */
type Rejection = { readonly status: number; readonly text: string };

/**
 * `enter` for an address with the token, which a cookie takes over; `pass` for a request with the cookie; `prove` for one
 * that may only ask for a challenge, or answer it.
 */
export type Verdict = "enter" | "pass" | "prove" | Rejection;

/** The verdict on a request. A name of another host is one that a foreign page has pointed to this machine. */
export function judgeRequest(request: GuardedRequest, { port, token }: PageSecret): Verdict {
  const rejection = rejectionOf(request, port);
  if (rejection) return rejection;
  const { fetchSite, isComeback, givenToken, keptToken } = request;
  if (givenToken !== null && isEqualText(givenToken, token)) return "enter";
  // A link on a foreign page brings the cookie along with a request for the page itself, and for nothing else.
  if (fetchSite === "cross-site" || fetchSite === "same-site") {
    return { status: 403, text: sentences.dashOriginForbidden() };
  }
  if (isComeback) return "prove";
  if (keptToken === null || !isEqualText(keptToken, token)) {
    return { status: 401, text: sentences.dashTokenMissing() };
  }
  return "pass";
}

/** The rejection of a request that no key can make good. */
function rejectionOf(
  { method, url, host, origin }: GuardedRequest,
  port: number,
): Rejection | undefined {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === null || !own.includes(host.toLowerCase())) {
    return { status: 403, text: sentences.dashHostForbidden() };
  }
  if (origin !== null && !own.some((name) => origin === `http://${name}`)) {
    return { status: 403, text: sentences.dashOriginForbidden() };
  }
  if (method !== "GET") {
    return { status: 405, text: sentences.dashMethodForbidden() };
  }
  if (url.length > dashAddressCharactersMax) {
    return { status: 414, text: sentences.dashAddressTooLong() };
  }
  return undefined;
}
