import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startBrowser } from "../support/dash-browser.ts";
import { has } from "../support/needs.ts";
import { RawHttpServer } from "../support/raw-http-server.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { testMaxMs } from "../support/session.ts";
import { jsonHead, whole } from "../support/over-budget-answers.ts";

setDefaultTimeout(testMaxMs);

const attempts = `
  const to = (way) => url + "?way=" + way;
  const loaded = (element) => new Promise((resolve) => {
    element.onload = element.onerror = resolve;
    document.body.append(element);
  });
  const put = (name, members) => Object.assign(document.createElement(name), members);
  const events = { accept: "text/event-stream" };
  const form = put("form", { action: to("form"), method: "post", target: "frame" });
  document.body.append(put("iframe", { name: "frame" }), form);
  form.submit();
  navigator.sendBeacon(to("beacon"), '{"jsonrpc":"2.0"}');
  new EventSource(to("source"));
  await Promise.allSettled([
    loaded(put("img", { src: to("img") })),
    loaded(put("script", { src: to("script") })),
    loaded(put("link", { rel: "stylesheet", href: to("style") })),
    loaded(put("iframe", { src: to("iframe") })),
    fetch(to("get"), { mode: "no-cors", headers: events, credentials: "include" }),
    fetch(to("metadata").replace("/mcp", "/.well-known/x/mcp"), { mode: "no-cors" }),
    fetch(to("post"), { mode: "no-cors", method: "POST", body: "{}" }),
    fetch(to("cors"), { method: "POST", body: "{}", headers: { "content-type": "application/json" } }),
    fetch(to("delete"), { method: "DELETE" }),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 200));
`;

const isThere = has("chromium", "row 159");

describe.if(isThere)("a page in a browser", () => {
  let browser: Browser;
  let server: RawHttpServer;
  let page: Bun.Server<undefined>;
  beforeAll(async () => {
    browser = await startBrowser(["--host-resolver-rules=MAP page.example 127.0.0.1"]);
    server = await RawHttpServer.start(() => whole(jsonHead, "{}"));
    page = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("<body>", { headers: { "content-type": "text/html" } }),
    });
  });
  afterAll(async () => {
    await browser.close();
    server[Symbol.dispose]();
    await page.stop(true);
  });

  const budget = ["--budget", "*=200"];
  test.each([
    ["page.example reaches nothing (slow)", "page.example", [budget]],
    ["page.example without a budget reaches nothing (slow)", "page.example", [[]]],
    ["localhost reaches nothing (slow)", "localhost", [budget]],
    ["127.0.0.1 reaches nothing (slow)", "127.0.0.1", [[]]],
  ])("row 159: at %s", async (_, host, settings) => {
    for (const words of settings) {
      using through = await ServedProxy.start(server.url, words);
      const tab = await browser.newPage();
      await tab.goto(`http://${host}:${page.port}/`);
      const url = JSON.stringify(through.url.href);
      await tab.evaluate(`(async () => { const url = ${url}; ${attempts} })()`);
      await tab.goto(`${through.url.href}?way=typed`);
      await tab.close();
      expect(server.requests.map(({ path }) => path)).toEqual([]);
    }
  });
});
