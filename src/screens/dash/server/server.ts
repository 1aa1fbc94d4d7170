import page from "../page/index.html";
import { UserError } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { Hub, type MakeView, type ReadVersion } from "./hub.ts";
import {
  choiceNames,
  defaultPeriod,
  periods,
  reconnectDelayMs,
  screens,
  type ViewChoice,
} from "../view.ts";
import { timingSafeEqual } from "node:crypto";
import { describeReason } from "#kit/sentences.ts";

export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

function makeTextResponse(status: number, text: string): Response {
  const headers = { ...safeHeaders, "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}

// Limits memory: the hub keeps the last view of each page.
const dashPagesMax = 64;

type DashContent = {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly makeView: MakeView;
  readonly readVersion: ReadVersion;
  readonly renderMetrics: () => Promise<string>;
  readonly reportFailure: (error: unknown) => void;
  /** The end of the address at which the page opens, such as `#/?cost=on`. */
  readonly fragment?: string;
};

export type DashServer = {
  readonly url: string;
  readonly ended: Promise<void>;
  readonly close: () => void;
};

export function startDash(wantedPort: number, content: DashContent): DashServer {
  const token = makeRandomText();
  // Cookies are shared between ports, so the cookies of two dashboards need different names.
  const cookie = `mcp-meter-${makeRandomText().slice(0, 8)}`;
  const hub = new Hub(content.makeView, content.readVersion);
  const answer: Answer = (request, port) =>
    respond(request, { port, token, cookie }, { ...content, hub });
  const server = listen(wantedPort, answer, content.reportFailure);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return {
    url: `http://127.0.0.1:${server.port}/?token=${token}`,
    ended,
    close: () => {
      hub.close();
      void server.stop(true);
      end();
    },
  };
}

type Answer = (request: Request, port: number) => Response | Promise<Response>;

function listen(
  port: number,
  answer: Answer,
  reportFailure: DashContent["reportFailure"],
): Bun.Server<undefined> {
  try {
    return Bun.serve({
      port,
      hostname: "127.0.0.1",
      idleTimeout: 0,
      development: false,
      // By default, Bun lets servers share a port when `development` is false.
      reusePort: false,
      fetch: (request, bunServer) => answer(request, bunServer.port ?? port),
      error: (error) => {
        reportFailure(error);
        return makeTextResponse(500, dashServerSentences.dashFailed());
      },
    });
  } catch (error) {
    throw new UserError(dashServerSentences.dashPortUnusable(port, readErrorCode(error)));
  }
}

// This path also accepts the token as a bearer token, because scrapers keep no cookies.
const metricsPath = "/metrics";

type PageAccess = PageSecret & { readonly cookie: string };
type ContentWithHub = DashContent & { readonly hub: Hub };

function respond(
  request: Request,
  access: PageAccess,
  content: ContentWithHub,
): Response | Promise<Response> {
  // Bun's request URL is invalid if the host header is missing or malformed.
  const url = URL.parse(request.url);
  if (!url) return makeTextResponse(403, dashServerSentences.dashHostForbidden());
  const verdict = checkAccess(request, url, access);
  const wantsMetrics = url.pathname === metricsPath;
  if (wantsMetrics && (verdict === "enter" || verdict === "pass"))
    return respondWithMetrics(content);
  if (verdict === "enter") return exchangeToken(url, access, content.fragment);
  if (verdict !== "pass") return makeTextResponse(verdict.status, verdict.text);
  return route(url, content);
}

function checkAccess(
  { method, url: address, headers }: Request,
  url: URL,
  access: PageAccess,
): Verdict {
  const cookie = new Bun.CookieMap(headers.get("cookie") ?? "").get(access.cookie);
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return judgeRequest(
    {
      method,
      url: address,
      host: headers.get("host"),
      origin: headers.get("origin"),
      fetchSite: headers.get("sec-fetch-site"),
      urlToken: url.searchParams.get("token"),
      storedToken: cookie ?? (url.pathname === metricsPath ? bearer : undefined) ?? null,
    },
    access,
  );
}

async function respondWithMetrics({ renderMetrics }: ContentWithHub): Promise<Response> {
  const headers = { ...safeHeaders, "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  return new Response(await renderMetrics(), { headers });
}

// Answers with a page that refreshes itself, not with a redirect: if another site links to this address, browsers would
// not send the new cookie after a redirect.
function exchangeToken(
  { searchParams }: URL,
  { cookie, token }: PageAccess,
  fragment = "",
): Response {
  searchParams.delete("token");
  const query = searchParams.toString();
  const address = Bun.escapeHTML(query === "" ? `/${fragment}` : `/?${query}${fragment}`);
  const headers = {
    ...safeHeaders,
    "content-type": "text/html; charset=utf-8",
    "set-cookie": `${cookie}=${token}; HttpOnly; SameSite=Strict; Path=/`,
  };
  const icon = '<link rel="icon" href="data:,">';
  const text = `<!doctype html><title>mcp-meter</title>${icon}<meta http-equiv="refresh" content="0; url=${address}">`;
  return new Response(text, { headers });
}

function route({ pathname, searchParams }: URL, content: ContentWithHub): Response {
  const { assets, hub, makeView } = content;
  if (pathname === "/events" || pathname === "/api/view") {
    const choice = parseChoice(searchParams);
    if (!choice) return makeTextResponse(400, dashServerSentences.dashChoiceUnknown());
    if (pathname === "/api/view") {
      return Response.json(makeView(choice), { headers: safeHeaders });
    }
    if (hub.size >= dashPagesMax) return makeTextResponse(503, dashServerSentences.dashBusy());
    const headers = { ...safeHeaders, "content-type": "text/event-stream; charset=utf-8" };
    return new Response(openEventStream(hub, choice), { headers });
  }
  const asset = assets.get(pathname);
  if (!asset) return makeTextResponse(404, dashServerSentences.dashPathUnknown());
  const headers = { ...safeHeaders, "content-type": asset.type };
  return new Response(Bun.file(asset.path), { headers });
}

function makeRandomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}

export function parseChoice(params: URLSearchParams): ViewChoice | undefined {
  const screen = screens.find((candidate) => candidate === (params.get("screen") ?? "overview"));
  const period = periods.find((candidate) => candidate === (params.get("period") ?? defaultPeriod));
  if (screen === undefined || period === undefined) return undefined;
  const names = choiceNames.map((name) => [name, params.get(name) || undefined] as const);
  return { screen, period, ...Object.fromEntries(names) };
}

export const dashWaitingBytesMax = 4 * 1024 * 1024;

const encoder = new TextEncoder();

export function openEventStream(hub: Hub, choice: ViewChoice): ReadableStream<Uint8Array> {
  let unsubscribe: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        write(`retry: ${reconnectDelayMs}\n\n`);
        unsubscribe = hub.add({
          choice,
          send: (event, data) => {
            if ((controller.desiredSize ?? 0) <= 0) return false;
            write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
            return true;
          },
          ping: () => write(": still here\n\n"),
        });
      },
      cancel: () => unsubscribe?.(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: dashWaitingBytesMax }),
  );
}

export const dashAddressCharactersMax = 8_192;

export type GuardedRequest = {
  readonly method: string;
  readonly url: string;
  readonly host: string | null;
  readonly origin: string | null;
  /** The `Sec-Fetch-Site` header; programs other than browsers do not send it. */
  readonly fetchSite: string | null;
  readonly urlToken: string | null;
  readonly storedToken: string | null;
};

type PageSecret = { readonly port: number; readonly token: string };

type Rejection = { readonly status: number; readonly text: string };

// `enter`: the token is in the address. `pass`: it is in the cookie or, for metrics, in the authorization header.
type Verdict = "enter" | "pass" | Rejection;

export function judgeRequest(request: GuardedRequest, { port, token }: PageSecret): Verdict {
  const rejection = findRejection(request, port);
  if (rejection) return rejection;
  const { fetchSite, urlToken, storedToken } = request;
  if (urlToken !== null && isEqualText(urlToken, token)) return "enter";
  // A page on another port of this host is `same-site`, so its requests carry the cookie.
  if (fetchSite === "cross-site" || fetchSite === "same-site") {
    return { status: 403, text: dashServerSentences.dashOriginForbidden() };
  }
  if (storedToken === null || !isEqualText(storedToken, token)) {
    return { status: 401, text: dashServerSentences.dashTokenMissing() };
  }
  return "pass";
}

function findRejection(
  { method, url, host, origin }: GuardedRequest,
  port: number,
): Rejection | undefined {
  // Checking the host prevents DNS rebinding.
  const allowedHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === null || !allowedHosts.includes(host.toLowerCase())) {
    return { status: 403, text: dashServerSentences.dashHostForbidden() };
  }
  if (origin !== null && !allowedHosts.some((name) => origin === `http://${name}`)) {
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

function isEqualText(left: string, right: string): boolean {
  const [first, second] = [Buffer.from(left), Buffer.from(right)];
  return first.length === second.length && timingSafeEqual(first, second);
}

const dashServerSentences = {
  dashPortUnusable: (port: number, reason: string) =>
    `Cannot serve the page on port ${port}: ${describeReason(reason)}; choose another --port, or omit it to use a free one`,
  dashChoiceUnknown: () => "This address names an unknown screen or period",
  dashHostForbidden: () => "The Host header does not match the address of this page",
  dashOriginForbidden: () => "Another page sent this request",
  dashTokenMissing: () =>
    "Open the address that mcp-meter dash printed: it contains the key to this page",
  dashMethodForbidden: () => "The page is read-only",
  dashAddressTooLong: () => "This address is too long",
  dashPathUnknown: () => "Not found",
  dashFailed: () => "The page failed; see the terminal where mcp-meter dash runs",
  dashBusy: () => "Too many pages are open; close one",
} as const;

type Asset = { readonly path: string; readonly type: string };

// The bundler provides `files` in an executable; in tests there are none.
type BuiltPage = {
  readonly files?: readonly {
    readonly path: string;
    readonly loader: string;
    readonly headers: Readonly<Record<string, string>>;
  }[];
};

export function listPageAssets(built: BuiltPage = page): ReadonlyMap<string, Asset> {
  return new Map(
    (built.files ?? []).map(({ path, loader, headers }) => {
      const urlPath = loader === "html" ? "/" : `/${path.replace(/^.*[/\\]/s, "")}`;
      return [urlPath, { path, type: headers["content-type"] ?? "application/octet-stream" }];
    }),
  );
}
