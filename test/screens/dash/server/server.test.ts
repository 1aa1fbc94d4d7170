import { afterEach, describe, expect, test } from "bun:test";
import { safeHeaders, type DashServer, startDash } from "#screens/dash/server/server.ts";
import { buildView } from "#screens/dash/views/index.ts";
import { Folder, thrownBy } from "../../../support/folder.ts";
import { dashModel, viewSetting } from "../../../support/dash-model.ts";

let running: DashServer | undefined;
afterEach(() => running?.close());

function started(folder: Folder): { origin: string; token: string; port: number } {
  const model = dashModel();
  const file = folder.file("index.html", "<!doctype html><title>page</title>");
  const assets = new Map([["/", { path: file, type: "text/html" }]]);
  const makeView = (choice: Parameters<typeof buildView>[1]) =>
    buildView(model, choice, viewSetting());
  running = startDash(0, { ...nothing, assets, makeView });
  const url = new URL(running.url);
  return { origin: url.origin, token: url.searchParams.get("token") ?? "", port: Number(url.port) };
}

async function enter(origin: string, token: string): Promise<string> {
  const response = await fetch(`${origin}/?token=${token}&screen=budgets`);
  expect(await response.text()).toContain(`url=/?screen=budgets"`);
  return response.headers.get("set-cookie")?.replace(/;.*/, "") ?? "";
}

const nothing = {
  readVersion: () => "",
  reportFailure: () => undefined,
  renderMetrics: async () => "# TYPE a counter\na 1\n",
};

function noView(): never {
  throw new Error("no view");
}

function statusLine(port: number, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const data = (socket: Bun.Socket, bytes: Buffer): void => {
    resolve(bytes.toString("latin1").split("\r\n")[0] ?? "");
    socket.end();
  };
  const socket = {
    open: (ownUrl: Bun.Socket) => void ownUrl.write(request),
    data,
    close: () => resolve(""),
  };
  Bun.connect({ hostname: "127.0.0.1", port, socket }).catch(reject);
  return promise;
}

describe("startDash", () => {
  test("the key is taken over by a cookie that no script and no other page gets", async () => {
    using folder = new Folder();
    const { origin, token } = started(folder);
    const response = await fetch(`${origin}/?token=${token}`);
    expect(response.headers.get("set-cookie")).toMatch(
      /^mcp-meter-[\w-]{8}=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    const text = await response.text();
    expect(text).toContain('content="0; url=/"');
    expect(text).not.toContain(token);
  });

  test("every path needs the cookie, and every answer has the safe headers", async () => {
    using folder = new Folder();
    const { origin, token } = started(folder);
    const cookie = await enter(origin, token);
    for (const path of [
      "/",
      "/events",
      "/api/view",
      "/nothing",
      "/../../etc/passwd",
      "/%2e%2e/x",
    ]) {
      const closed = await fetch(`${origin}${path}`);
      expect([path, closed.status]).toEqual([path, 401]);
      const open = await fetch(`${origin}${path}`, { headers: { cookie } });
      const known = ["/", "/events", "/api/view"].includes(path);
      expect([path, open.status]).toEqual([path, known ? 200 : 404]);
      for (const response of [closed, open]) {
        for (const [name, value] of Object.entries(safeHeaders)) {
          expect([path, response.headers.get(name)]).toEqual([path, value]);
        }
        await response.body?.cancel();
      }
    }
  });

  test("a scraper reads /metrics with the key in a header or in the address, and nothing else with the header", async () => {
    using folder = new Folder();
    const { origin, token, port } = started(folder);
    const authorization = `Bearer ${token}`;
    const status = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await fetch(`${origin}${path}`, { headers })).status;
    expect(await status("/metrics")).toBe(401);
    for (const wrong of ["Bearer x", `Basic ${token}`, token, "Bearer "]) {
      expect([wrong, await status("/metrics", { authorization: wrong })]).toEqual([wrong, 401]);
    }
    expect(await status("/metrics?token=x", {})).toBe(401);
    expect(await status("/api/view", { authorization })).toBe(401);
    expect(await status("/metrics", { authorization, host: `evil.example:${port}` })).toBe(403);
    expect(await status("/metrics", { authorization, origin: "http://evil.example" })).toBe(403);
    const answers = [
      await fetch(`${origin}/metrics`, { headers: { authorization } }),
      await fetch(`${origin}/metrics?token=${token}`),
      await fetch(`${origin}/metrics`, { headers: { cookie: await enter(origin, token) } }),
    ];
    for (const answer of answers) {
      expect(await answer.text()).toBe("# TYPE a counter\na 1\n");
      expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      expect(answer.headers.get("set-cookie")).toBe(null);
    }
  });

  test("a foreign host, a foreign page and a writing method get nothing", async () => {
    using folder = new Folder();
    const { origin, token, port } = started(folder);
    const cookie = await enter(origin, token);
    const readStatus = async (init: RequestInit): Promise<number> => {
      const headers = { cookie, ...(init.headers as Record<string, string>) };
      return (await fetch(`${origin}/api/view`, { ...init, headers })).status;
    };
    expect(await readStatus({})).toBe(200);
    expect(await readStatus({ headers: { host: "evil.example" } })).toBe(403);
    expect(await readStatus({ headers: { host: `evil.example:${port}` } })).toBe(403);
    expect(await readStatus({ headers: { origin: "http://evil.example" } })).toBe(403);
    expect(await readStatus({ headers: { "sec-fetch-site": "cross-site" } })).toBe(403);
    expect(await readStatus({ method: "POST", body: "x".repeat(1_000_000) })).toBe(405);
    expect(await readStatus({ method: "OPTIONS" })).toBe(405);
  });

  test("a host name that is none, or is missing, is another host", async () => {
    using folder = new Folder();
    const { origin, token, port } = started(folder);
    const cookie = await enter(origin, token);
    const requests = (hosts: string, version = "1.1"): Promise<string> =>
      statusLine(port, `GET /api/view HTTP/${version}\r\n${hosts}Cookie: ${cookie}\r\n\r\n`);
    expect(await requests(`Host: 127.0.0.1:${port}\r\n`)).toContain(" 200 ");
    for (const host of ["", `127.0.0.1:${port}@evil.example`, `127.0.0.1:${port},evil.example`]) {
      expect([host, await requests(`Host: ${host}\r\n`)]).toEqual([host, "HTTP/1.1 403 Forbidden"]);
    }
    expect(await requests("", "1.0")).toBe("HTTP/1.1 403 Forbidden");
  });

  test("a view that cannot be made is an answer, and its reason is reported", async () => {
    const reasons: unknown[] = [];
    const reportFailure = (error: unknown): void => void reasons.push(error);
    running = startDash(0, { ...nothing, assets: new Map(), makeView: noView, reportFailure });
    const { origin, searchParams } = new URL(running.url);
    const cookie = await enter(origin, searchParams.get("token") ?? "");
    const answer = await fetch(`${origin}/api/view`, { headers: { cookie } });
    expect([answer.status, await answer.text()]).toEqual([
      500,
      "The page failed; see the terminal where mcp-meter dash runs\n",
    ]);
    expect(reasons.map(String)).toEqual(["Error: no view"]);
  });

  test("a view is JSON, and a choice that is none is refused", async () => {
    using folder = new Folder();
    const { origin, token } = started(folder);
    const headers = { cookie: await enter(origin, token) };
    const view = await (await fetch(`${origin}/api/view?period=all`, { headers })).json();
    expect(view).toMatchObject({ head: { screen: "overview", timezone: "Europe/Berlin" } });
    const wrong = await fetch(`${origin}/events?screen=__proto__`, { headers });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      "This address names an unknown screen or period\n",
    ]);
  });

  test("200 connections at once are all answered", async () => {
    using folder = new Folder();
    const { origin, token } = started(folder);
    const headers = { cookie: await enter(origin, token) };
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const response = await fetch(`${origin}/events?screen=budgets&server=${at}`, { headers });
        await response.body?.cancel();
        return response.status;
      }),
    );
    expect(new Set(answers)).toEqual(new Set(answers.includes(503) ? [200, 503] : [200]));
    expect((await fetch(`${origin}/api/view`, { headers })).status).toBe(200);
  });

  test("only this machine is served, and a port that is taken is one sentence", async () => {
    using folder = new Folder();
    const { port } = started(folder);
    expect(running?.url).toStartWith("http://127.0.0.1:");
    const content = { ...nothing, assets: new Map(), makeView: () => ({}) as never };
    expect(thrownBy(() => startDash(port, content))).toContain(
      `Cannot serve the page on port ${port}: another program uses it`,
    );
  });
});
