import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { event, eventsHead, jsonHead, whole } from "../support/over-budget-answers.ts";
import { RawHttpServer } from "../support/raw-http-server.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { onlyLog, runMeter, waitMaxMs } from "./run.ts";
import { ownHome } from "./serving.ts";

setDefaultTimeout(waitMaxMs);

const method = "notifications/claude/channel";
const pushed = (content: string): string =>
  JSON.stringify({ jsonrpc: "2.0", method, params: { content, meta: { severity: "high" } } });
const long = pushed("word ".repeat(30_000));
const texts = [pushed("build failed"), long, long, pushed("fixed")];
const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "claude-code", version: "2.1.330" },
  },
};
const greeting = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  result: {
    protocolVersion: "2025-11-25",
    capabilities: { experimental: { "claude/channel": {} } },
    serverInfo: { name: "ci", version: "1" },
  },
});
const flags = ["--tokenizer", "o200k", "--budget", "1k/session"];
const outcomes = ["ok", "refused", "refused", "ok"];

test("on stdio, without a budget and with one", async () => {
  const server = ["sh", "-c", "read line; cat said; cat > /dev/null"];
  const input = `${JSON.stringify(initialize)}\n`;
  for (const budget of [[], flags]) {
    using home = ownHome();
    writeFileSync(join(home.path, "said"), [greeting, ...texts, ""].join("\n"));
    const run = await runMeter(home, [...budget, "--", ...server], { input });
    const got = run.stdout.trimEnd().split("\n");
    const passed = texts.filter((text) => budget.length === 0 || text !== long);
    expect(got).toEqual([greeting, ...passed]);
    const records = await onlyLog(home);
    const calls = records.filter(({ type }) => type === "call");
    expect(calls.map(({ outcome }) => outcome)).toEqual(
      budget.length === 0 ? outcomes.map(() => "ok") : outcomes,
    );
    expect(calls.map((call) => call["method"])).toEqual(texts.map(() => method));
    expect(run.stderr).toContain(`(${method})`);
    const told = run.stderr.split("\n").filter((line) => line.includes("pushed"));
    expect(told).toHaveLength(budget.length === 0 ? 0 : 2);
    expect(run.status).toBe(budget.length === 0 ? 0 : 1);
  }
});

test("over HTTP, in a stream of its own", async () => {
  using server = await RawHttpServer.start(({ method: verb, message }) => {
    if (verb === "GET") return whole(eventsHead, ...texts.map((text) => event(text)));
    return whole(jsonHead, message?.["id"] === 0 ? greeting : "");
  });
  using through = await ServedProxy.start(server.url, flags);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify(initialize);
  await (await fetch(through.url, { method: "POST", headers, body })).text();
  const stream = await (await fetch(through.url, { headers })).text();
  expect(stream.match(/data: .*/g)).toEqual([`data: ${texts[0]}`, `data: ${texts[3]}`]);
  const calls = await through.records("call");
  expect(calls.map((call) => call["outcome"])).toEqual(outcomes);
  expect(through.started.err).toContain("a message that the server pushed");
});
