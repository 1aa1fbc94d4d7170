import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { askAs } from "../support/eras.ts";
import {
  answerTo,
  event,
  eventsHead,
  type Form,
  forbidden as long,
  jsonHead,
  whole,
} from "../support/over-budget-answers.ts";
import { hosts } from "../support/sdk-hosts.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { Folder } from "../support/folder.ts";
import { RawHttpServer } from "../support/raw-http-server.ts";
import { judgedByTime } from "../support/measure.ts";
import { has } from "../support/needs.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { executable } from "../support/servers.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { slowIf } from "../support/slow-cases.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const forms: Readonly<Record<string, Form>> = {
  echo: ({ id }) => whole(jsonHead, answerTo(id, "Hi")),
  long: ({ id }) => whole(jsonHead, answerTo(id, long)),
  stream: ({ id }) => whole(eventsHead, ": hi\n\n", event(answerTo(id, long))),
};

const callsOf = ({ requests }: RawHttpServer) =>
  requests.filter(({ message }) => message?.["method"] === "tools/call");

async function opened(name: string, ...options: readonly string[]) {
  const server = await startOverBudgetServer(forms);
  const through = await ServedProxy.start(server.url, options);
  const host = await (hosts[name] ?? hosts["sdk-v1"])?.(through.url);
  if (!host) throw new Error("no host");
  return {
    server,
    through,
    host,
    [Symbol.asyncDispose]: async () => {
      await host.close();
      through[Symbol.dispose]();
      server[Symbol.dispose]();
    },
  };
}

for (const name of Object.keys(hosts)) {
  describe(`in front of ${name}${slowIf(name === "sdk-v2-legacy")}`, () => {
    test("a call that does not fit is refused, and the server never gets it", async () => {
      await using one = await opened(name, "--budget", "echo=0");
      const got = await one.host.call("echo");
      expect(JSON.parse(got)).toMatchObject({ isError: true });
      expect(got).toContain("echo was not run");
      expect(callsOf(one.server)).toEqual([]);
      expect(await one.through.records("breach")).toMatchObject([{ did_run: false }]);
    });

    test("--error-form rpc throws with code -31900", async () => {
      await using one = await opened(name, "--budget", "echo=0", "--error-form", "rpc");
      expect(await one.host.call("echo")).toMatch(
        /-31900.*echo was not run|echo was not run.*-31900/s,
      );
      await using after = await opened(name, "--budget", "long=100", "--error-form", "rpc");
      expect(await after.host.call("long")).toMatch(/-31900.*was withheld|was withheld.*-31900/s);
    });

    test("truncate and spill leave the beginning, and a file with the rest", async () => {
      for (const tool of ["long", "stream"]) {
        await using cut = await opened(name, "--budget", `${tool}=300:truncate`);
        expect(await cut.host.call(tool)).toMatch(/"word word .*\[mcp-meter: cut after /s);
        await using one = await opened(name, "--budget", `${tool}=300:spill`);
        expect(await one.host.call(tool)).toMatch(/"word word .*the whole answer is in \//s);
        const folder = join(one.through.folder.path, "mcp-meter", "spills");
        const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) =>
          path.includes("."),
        );
        expect(readFileSync(join(folder, file ?? ""), "utf8")).toContain(long.trim());
      }
    });

    test("--max-repeats refuses the call after as many identical ones", async () => {
      await using one = await opened(name, "--max-repeats", "2");
      const got = [
        await one.host.call("echo"),
        await one.host.call("echo"),
        await one.host.call("echo"),
      ];
      expect(got.map((text) => text.includes("was not run"))).toEqual([false, false, true]);
      expect(callsOf(one.server)).toHaveLength(2);
    });

    test("--annotate says the cost in JSON and in events", async () => {
      await using one = await opened(name, "--annotate");
      for (const tool of ["echo", "stream"]) {
        expect(await one.host.call(tool)).toMatch(/"_meta":\{.*tokens/s);
      }
    });

    test("warn lets everything pass, and says so", async () => {
      await using one = await opened(name, "--budget", "long=100:warn");
      expect(await one.host.call("long")).toContain(long);
      expect(await one.through.records("breach")).toMatchObject([{ is_enforced: false }]);
      expect(one.through.started.err).toContain("long");
    });
  });
}

test("a refusal of the modern era says that it is complete", async () => {
  await using one = await opened("sdk-v1", "--budget", "echo=0");
  const body = JSON.stringify(askAs("host")(7, "tools/call", { name: "echo", arguments: {} }));
  const headers = { "content-type": "application/json" };
  const answer = await fetch(one.through.url, { method: "POST", body, headers });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(await answer.json()).toMatchObject({
    id: 7,
    result: { resultType: "complete", isError: true },
  });
});

test("--enforce-lock refuses tools that the lock does not have", async () => {
  using folder = new Folder();
  using locked = await startOverBudgetServer({ echo: forms["echo"] ?? (() => whole()) });
  const file = folder.at("mcp.lock.json");
  const home = { HOME: folder.path, XDG_STATE_HOME: folder.path };
  using made = new StartedProcess(
    [executable(), "lock", "--url", locked.url, "--lock", file],
    home,
  );
  expect(await made.child.exited).toBe(0);
  await using one = await opened("sdk-v1", "--lock", file, "--enforce-lock");
  expect(await one.host.call("long")).toContain("was not run");
  expect(callsOf(one.server)).toEqual([]);
});

test("limits per month add up over conversations, processes and eras; summary and records say so, with code 0", async () => {
  using folder = new Folder();
  using server = await startOverBudgetServer(forms);
  const options = ["--budget", "3calls/month", "--summary", "json"];
  using first = await ServedProxy.start(server.url, options, { folder });
  using second = await ServedProxy.start(server.url, options, { folder });
  const all = await Promise.all(
    Object.values(hosts).flatMap((open) => [open(first.url), open(second.url)]),
  );
  const got = await Promise.all(all.map((host) => host.call("echo")));
  expect(got.filter((text) => text.includes('"Hi"'))).toHaveLength(3);
  expect(callsOf(server)).toHaveLength(3);
  for (const host of all) await host.close();
  const [calls] = [await first.records("call"), await second.started.end()];
  expect(calls.length).toBeGreaterThan(0);
  const summary: unknown = JSON.parse(second.started.err.slice(second.started.err.indexOf("{")));
  expect(summary).toHaveProperty("budgets.0.limit", 3);
});

describe("a client that leaves", () => {
  test("ends its call at the server, and the next one has the room", async () => {
    using server = await startOverBudgetServer({
      slow: ({ id }) =>
        whole(eventsHead, ": x\n\n", Bun.sleep(waitMaxMs), event(answerTo(id, long))),
      ...forms,
    });
    using through = await ServedProxy.start(server.url, ["--budget", "2500/session"]);
    const host = await hosts["sdk-v2-modern"]?.(through.url);
    const leaving = new AbortController();
    const slow = host?.call("slow", undefined, leaving.signal);
    await eventually("the call", () => callsOf(server).length > 0);
    leaving.abort();
    await slow;
    await eventually("the end of the request", () => server.open === 0);
    expect(await host?.call("long")).toContain(long);
    await host?.close();
    expect(await through.records("call")).toMatchObject([
      { tool: "slow", outcome: "cancelled" },
      { tool: "long", outcome: "ok" },
    ]);
  });
});

const hasCompiler = has("cc", "calls over HTTP that wait");

const throttled = (server: RawHttpServer, folder: Folder, leftMs: number) => {
  const source = join(import.meta.dir, "../fixtures/clock-ahead.c");
  const library = folder.at("clock.so");
  expect(Bun.spawnSync(["cc", "-shared", "-fPIC", "-o", library, source]).exitCode).toBe(0);
  const ahead = 120_000 - leftMs - (Date.now() % 60_000);
  const env = { LD_PRELOAD: library, CLOCK_AHEAD_MS: String(ahead) };
  const options = ["--budget", "echo=1calls/minute:throttle"];
  return ServedProxy.start(server.url, options, { folder, env });
};

describe.if(hasCompiler)("throttle", () => {
  test.each(Object.entries(hosts))(
    "with %s, a call waits for the next minute, and is forwarded then (slow)",
    async (_name, open) => {
      using folder = new Folder();
      using server = await startOverBudgetServer(forms);
      using through = await throttled(server, folder, 5_000);
      const host = await open(through.url);
      const got = await Promise.all([host.call("echo"), host.call("echo")]);
      expect(got.every((text) => text.includes('"Hi"'))).toBe(true);
      expect(callsOf(server)).toHaveLength(2);
      await host.close();
    },
    judgedByTime,
  );

  test.each(Object.entries(hosts))(
    "with %s, a client that leaves while its call waits has not called",
    async (_name, open) => {
      using folder = new Folder();
      using server = await startOverBudgetServer(forms);
      using through = await throttled(server, folder, 45_000);
      const host = await open(through.url);
      expect(await host.call("echo")).toContain('"Hi"');
      expect(await host.call("echo", 300)).toMatch(/timed out/i);
      await host.close();
      await eventually("the end of its request", () => server.open === 0);
      const calls = await through.records("call");
      // A legacy client tells that it left, or its connection does first.
      expect(calls.map(({ outcome }) => outcome)).toEqual([
        "ok",
        expect.stringMatching(/^(?:cancelled|abandoned)$/),
      ]);
      expect(callsOf(server)).toHaveLength(1);
    },
    judgedByTime,
  );
});

const isThere = hasRedis("budgets over HTTP");

describe.if(isThere)("counters in Redis", () => {
  const started: RedisServer[] = [];
  const start = async () => {
    const redis = await RedisServer.start();
    started.push(redis);
    return redis;
  };
  afterAll(async () => {
    for (const redis of started) await redis[Symbol.asyncDispose]();
  });

  test("decide calls at the same time one by one, in order of room", async () => {
    const redis = await start();
    await using one = await opened("sdk-v1", "--counters", redis.url, "--budget", "5calls/month");
    const got = await Promise.all(Array.from({ length: 12 }, () => one.host.call("echo")));
    expect(got.filter((text) => text.includes('"Hi"'))).toHaveLength(5);
    expect(callsOf(one.server)).toHaveLength(5);
  });

  test("that answer late delay calls, which go on", async () => {
    const redis = await start();
    const policy = ["--on-counter-failure", "closed"];
    await using one = await opened(
      "sdk-v1",
      "--counters",
      redis.url,
      "--budget",
      "9calls/month",
      ...policy,
    );
    expect(await one.host.call("echo")).toContain('"Hi"');
    redis.signal("SIGSTOP");
    const waiting = one.host.call("echo");
    await Bun.sleep(50);
    redis.signal("SIGCONT");
    // On a busy machine the policy may have decided.
    expect(await waiting).toMatch(/"Hi"|was not run/);
  });

  test.each([
    ["local", true],
    ["closed", false],
    ["open", true],
  ])("that are killed: %s", async (policy, passes) => {
    const redis = await start();
    const options = [
      "--counters",
      redis.url,
      "--budget",
      "9calls/month",
      "--on-counter-failure",
      policy,
    ];
    await using one = await opened("sdk-v1", ...options);
    expect(await one.host.call("echo")).toContain('"Hi"');
    await redis.kill();
    const got: string[] = [];
    for (let at = 0; at < 3; at += 1) got.push(await one.host.call("echo"));
    expect(got.map((text) => text.includes('"Hi"'))).toEqual([passes, passes, passes]);
    expect(callsOf(one.server)).toHaveLength(passes ? 4 : 1);
    await eventually("the cause", () => one.through.started.err.includes("127.0.0.1"));
  });
});

test("clients that share a server without sessions are counted by the most that any of them may read", async () => {
  using server = await RawHttpServer.start(({ message }) => {
    const id = JSON.stringify(message?.["id"]);
    const structured = `{"content":[{"type":"text","text":"short"}],"structuredContent":{"a":${JSON.stringify(long)}}}`;
    const started = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`;
    const result = message?.["method"] === "initialize" ? started : structured;
    return whole(jsonHead, `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  });
  using through = await ServedProxy.start(server.url, ["--budget", "both=200"]);
  const post = async (method: string, params: object): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json", accept: "application/json" };
    return (await fetch(through.url, { method: "POST", headers, body })).text();
  };
  const callAs = async (name: string): Promise<string> => {
    const clientInfo = { name, version: "1" };
    await post("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    return post("tools/call", { name: "both", arguments: { of: name } });
  };
  // It reads the short text alone.
  expect(await callAs("gemini-cli-mcp-client")).toContain("structuredContent");
  expect(await callAs("claude-code")).toContain("was withheld");
});
