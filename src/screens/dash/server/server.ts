import { UserError } from "#kit/errors.ts";
import { errorCode } from "#kit/os/error-code.ts";
import { parseChoice } from "../parse-choice.ts";
import type { Asset } from "./assets.ts";
import { eventStream } from "./event-stream.ts";
import { judgeRequest, type PageSecret, type Verdict } from "./guard.ts";
import { Hub, type MakeView, type NameVersion } from "./hub.ts";
import { dashServerSentences } from "./sentences.ts";

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

function textResponse(status: number, text: string): Response {
  const headers = { ...safeHeaders, "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}

// Each page keeps its last view.
const dashPagesMax = 64;

export type DashContent = {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly view: MakeView;
  readonly version: NameVersion;
  readonly metrics: () => Promise<string>;
  readonly failed: (error: unknown) => void;
};

export type DashServer = {
  readonly url: string;
  readonly ended: Promise<void>;
  readonly close: () => void;
};

/** On this machine alone. Throws UserError for a port that is taken. */
export function startDash(rawPort: number, content: DashContent): DashServer {
  const token = randomText();
  // Cookies do not know ports: two pages must not replace each other's.
  const cookie = `mcp-meter-${randomText().slice(0, 8)}`;
  const hub = new Hub(content.view, content.version);
  const answer: Answer = (request, port) =>
    respond(request, { port, token, cookie }, { ...content, hub });
  const server = listen(rawPort, answer, content.failed);
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
  failed: DashContent["failed"],
): Bun.Server<undefined> {
  try {
    const server = Bun.serve({
      port,
      hostname: "127.0.0.1",
      idleTimeout: 0,
      development: false,
      // Without it, a server that is not for development shares a port that is taken, with another page of this user.
      reusePort: false,
      fetch: (request, own) => answer(request, own.port ?? port),
      error: (error) => {
        failed(error);
        return textResponse(500, dashServerSentences.dashFailed());
      },
    });
    return server;
  } catch (error) {
    throw new UserError(dashServerSentences.dashPortTaken(port, errorCode(error)));
  }
}

/** Where a scraper asks, which keeps no cookie: its key is in the header of authorization, or in the address. */
const metricsPath = "/metrics";

type Entry = PageSecret & { readonly cookie: string };
type Content = DashContent & { readonly hub: Hub };

function respond(request: Request, entry: Entry, content: Content): Response | Promise<Response> {
  // A missing or malformed host gives no address.
  const url = URL.parse(request.url);
  if (!url) return textResponse(403, dashServerSentences.dashHostForbidden());
  const verdict = verdictOn(request, url, entry);
  const isScraper = url.pathname === metricsPath;
  if (isScraper && (verdict === "enter" || verdict === "pass")) return metricsResponse(content);
  if (verdict === "enter") return enter(url, entry);
  if (verdict !== "pass") return textResponse(verdict.status, verdict.text);
  return route(url, content);
}

function verdictOn({ method, url: address, headers }: Request, url: URL, entry: Entry): Verdict {
  const cookie = new Bun.CookieMap(headers.get("cookie") ?? "").get(entry.cookie);
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return judgeRequest(
    {
      method,
      url: address,
      host: headers.get("host"),
      origin: headers.get("origin"),
      fetchSite: headers.get("sec-fetch-site"),
      givenToken: url.searchParams.get("token"),
      keptToken: cookie ?? (url.pathname === metricsPath ? bearer : undefined) ?? null,
    },
    entry,
  );
}

async function metricsResponse({ metrics }: Content): Promise<Response> {
  const headers = { ...safeHeaders, "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  return new Response(await metrics(), { headers });
}

/**
 * The cookie takes the key over, so that the address can be shown around. A page leads to the next one instead of a
 * redirect, with which a browser that came from elsewhere would not send the new cookie.
 */
function enter({ searchParams }: URL, { cookie, token }: Entry): Response {
  searchParams.delete("token");
  const query = searchParams.toString();
  const next = Bun.escapeHTML(query === "" ? "/" : `/?${query}`);
  const headers = {
    ...safeHeaders,
    "content-type": "text/html; charset=utf-8",
    "set-cookie": `${cookie}=${token}; HttpOnly; SameSite=Strict; Path=/`,
  };
  // Without an icon of its own, a browser asks for one.
  const icon = '<link rel="icon" href="data:,">';
  const text = `<!doctype html><title>mcp-meter</title>${icon}<meta http-equiv="refresh" content="0; url=${next}">`;
  return new Response(text, { headers });
}

function route({ pathname, searchParams }: URL, content: Content): Response {
  const { assets, hub, view } = content;
  if (pathname === "/events" || pathname === "/api/view") {
    const choice = parseChoice(searchParams);
    if (!choice) return textResponse(400, dashServerSentences.dashChoiceUnknown());
    if (pathname === "/api/view") {
      return Response.json(view(choice), { headers: safeHeaders });
    }
    if (hub.size >= dashPagesMax) return textResponse(503, dashServerSentences.dashBusy());
    const headers = { ...safeHeaders, "content-type": "text/event-stream; charset=utf-8" };
    return new Response(eventStream(hub, choice), { headers });
  }
  const asset = assets.get(pathname);
  if (!asset) return textResponse(404, dashServerSentences.dashPathUnknown());
  const headers = { ...safeHeaders, "content-type": asset.type };
  return new Response(Bun.file(asset.path), { headers });
}

function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}
