import { openExchangesMax } from "#limits/http.ts";
import type { AskServer, ServerAnswer } from "./answer.ts";
import { Connections } from "./connections.ts";
import { runtimeExchangesIn } from "./runtime-requests.ts";

/** The way to a server. */
export type ServerAsker = {
  readonly ask: AskServer;
  /** Requests that it makes at the same time. */
  readonly openMax: number;
  /** Breaks off the connections. */
  readonly close: () => void;
};

/**
 * The way to the server of a URL: connections of our own where there is neither TLS nor a proxy, which are several times as
 * fast (docs/adr/0330-connections-of-our-own.md), and `fetch` for the rest.
 */
export function askerFor(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
  nowMs: () => number,
): ServerAsker {
  const isProxied = Boolean(env["http_proxy"] ?? env["HTTP_PROXY"]);
  if (url.protocol !== "http:" || isProxied) {
    return { ask: askByFetch, openMax: runtimeExchangesIn(env), close: () => undefined };
  }
  const connections = new Connections(url, nowMs);
  return {
    ask: (request) => connections.ask(request),
    openMax: openExchangesMax,
    close: () => connections.close(),
  };
}

const askByFetch: AskServer = async ({ url, leaving, ...request }): Promise<ServerAnswer> => {
  const broken = new AbortController();
  leaving.onLeave(() => broken.abort());
  const answer = await fetch(url, {
    ...request,
    signal: broken.signal,
    ...(request.body ? { body: request.body } : {}),
    // A redirect may lead to another host, which must not get the headers of this one.
    redirect: "manual",
    decompress: false,
    // A stream may be silent for hours.
    timeout: false,
  });
  const { status, statusText, headers, body } = answer;
  const reader = body?.getReader();
  return {
    status,
    statusText,
    headers,
    body: reader && { read: () => reader.read(), cancel: () => reader.cancel() },
  };
};
