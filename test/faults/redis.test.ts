import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { RedisKeys } from "#state/stores/redis/counter-script.ts";
import { Folder } from "../support/folder.ts";
import { has } from "../support/needs.ts";
import { freePort } from "../support/free-port.ts";
import { FakeRedis, hasRedis, RedisServer } from "../support/redis.ts";
import { logsBelow, readLog } from "../support/records.ts";
import { call } from "../support/rpc.ts";
import {
  executable,
  fixture,
  metered,
  runMeter,
  type Session,
  testMaxMs,
} from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const policies = ["local", "closed", "open"] as const;
type Policy = (typeof policies)[number];

const echo = (id: number | string) => call(id, "echo", {});
const isRefused = (answer: object): boolean => JSON.stringify(answer).includes('"isError":true');

function limited(url: string, budget: string, ...flags: readonly string[]): Session {
  return metered(fixture("answers.sh"), {
    env: { MCP_METER_COUNTERS: url },
    flags: ["--server", "demo", "--budget", budget, ...flags],
  });
}

async function refusals(session: Session, first: number, last: number): Promise<boolean[]> {
  const refused: boolean[] = [];
  for (let id = first; id <= last; id += 1) refused.push(isRefused(await session.ask(echo(id))));
  return refused;
}

const sentences = (session: Session): string[] =>
  session.stderr.text.split("\n").filter((line) => line.includes("counters in the Redis at"));

const faults = (session: Session): unknown[] => session.records("fault").map(({ what }) => what);

function amounts(redis: RedisServer): { spent: number; held: number } {
  const [key = ""] = redis.ask("ZRANGE", new RedisKeys("default").index, "0", "0");
  const [spent, held] = redis.ask("HMGET", key, "spent", "held").map(Number);
  return { spent: spent ?? 0, held: held ?? 0 };
}

const isThere = hasRedis("rows 93 to 97");
let redis: RedisServer | undefined;
// Not before: where a filter leaves no test of this file, nothing would end it.
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

describe.if(isThere)("row 93: 16 meters on one counter of a Redis, four of them killed", () => {
  test("row 93: the ceiling holds at each moment, and holds come back with the lease (slow)", async () => {
    await using server = await RedisServer.start();
    const limit = 4_000;
    const sessions = Array.from({ length: 16 }, () =>
      limited(server.url, `${limit}/month`, "--log", "off", "--summary", "off"),
    );
    const victims = sessions.slice(0, 4);
    let highest = 0;
    const sampling = setInterval(() => {
      const { spent, held } = amounts(server);
      highest = Math.max(highest, spent + held);
    }, 20);
    const first = await Promise.all(victims.map((victim) => refusals(victim, 1, 5)));
    // One call of each is open when it is killed, while the others play.
    for (const victim of victims) await victim.send(call("x", "echo", { text: "never" }));
    await eventually("their calls are open", () => amounts(server).held > 0);
    const others = sessions.slice(victims.length).map((session) => refusals(session, 1, 40));
    for (const victim of victims) victim.kill("SIGKILL");
    const answers = [...first, ...(await Promise.all(others))].flat();
    for (const session of sessions.slice(victims.length)) await session.finish();
    clearInterval(sampling);
    const { spent, held } = amounts(server);
    expect(highest).toBeLessThanOrEqual(limit);
    expect(spent + held).toBeLessThanOrEqual(limit);
    // Every answer that was delivered is spent: each costs at least a token.
    const delivered = answers.filter((isWithheld) => !isWithheld).length;
    expect(delivered).toBeGreaterThan(0);
    expect(delivered).toBeLessThanOrEqual(spent);
    expect(answers).toContain(true);
    const [holders = ""] = server.ask("KEYS", "*:holders");
    for (const holder of server.ask("ZRANGE", holders, "0", "-1"))
      server.ask("ZADD", holders, "1", holder);
    const listed = runMeter(["budgets", "--json", "--counters", server.url]);
    expect(JSON.parse(listed.stdout).counters).toMatchObject([{ server: "demo", held: 0 }]);
    expect(amounts(server).spent).toBeLessThanOrEqual(limit);
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });
});

type Broken = AsyncDisposable & { readonly url: string };

const brokenOnes: readonly (readonly [
  name: string,
  reason: string,
  open: () => Promise<Broken>,
])[] = [
  [
    "nobody listens",
    "ECONNREFUSED",
    async () => ({
      url: `redis://127.0.0.1:${freePort()}`,
      [Symbol.asyncDispose]: async () => undefined,
    }),
  ],
  ["a wrong password", "WRONGPASS", () => started(["--requirepass", "other"], "demo:canary@")],
  ["a password that is missing", "NOAUTH", () => started(["--requirepass", "other"])],
  ["a replica", "READONLY", replica],
  ["full memory", "OOM", () => started(["--maxmemory", "1"])],
  ["one node of a cluster", "CLUSTERDOWN", () => started(["--cluster-enabled", "yes"])],
  ["data that is being loaded", "LOADING", () => answering("-LOADING Redis is loading\r\n")],
  ["a node that knows another", "MOVED", () => answering("-MOVED 1 10.0.0.1:6379\r\n")],
  ["nonsense", "not a Redis reply", () => answering("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["no answer", "ETIMEDOUT", () => answering("")],
  [
    "an answer that is too large",
    "not a Redis reply",
    () => answering(`*2000000000\r\n${"x".repeat(100_000)}`),
  ],
];

async function started(flags: readonly string[], login = ""): Promise<Broken> {
  const server = await RedisServer.start(...flags);
  const url = server.url.replace("//", `//${login}`);
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function replica(): Promise<Broken> {
  return started(["--replicaof", `127.0.0.1 ${redis?.port ?? 0}`]);
}

async function answering(text: string): Promise<Broken> {
  const fake = await FakeRedis.start((socket) => void socket.write(text));
  return fake;
}

const expected: { readonly [policy in Policy]: readonly boolean[] } = {
  local: [false, false, true],
  closed: [true, true, true],
  open: [false, false, false],
};

describe.if(isThere)("row 94: a Redis that cannot be used from the start", () => {
  for (const [name, reason, open] of brokenOnes) {
    test(`row 94: ${name}: one sentence, its cause, and each policy (slow)`, async () => {
      await using broken = await open();
      for (const policy of policies) {
        await using session = limited(broken.url, "2calls/month", "--on-counter-failure", policy);
        expect(await refusals(session, 1, 3)).toEqual([...expected[policy]]);
        await session.finish();
        expect(sentences(session)[0]).toContain("Cannot use the budget counters");
        expect(faults(session)).toEqual([reason]);
        expect(everythingOf(session)).not.toContain("canary");
      }
    });
  }
});

function everythingOf(session: Session): string {
  const logs = session.logPaths.map((path) => readFileSync(path, "utf8"));
  return [session.stdout.bytes.toString(), session.stderr.text, ...logs].join("\n");
}

const interruptions: readonly (readonly [
  name: string,
  begin: (server: RedisServer) => Promise<void>,
  end: (server: RedisServer) => Promise<void>,
])[] = [
  [
    "stopped for a while",
    async (server) => server.signal("SIGSTOP"),
    async (server) => server.signal("SIGCONT"),
  ],
  [
    "killed, and started again without its data",
    (server) => server.kill(),
    (server) => server.restart(),
  ],
];

describe.if(isThere)("row 95: a Redis that goes away in the middle of a session", () => {
  const later: { readonly [policy in Policy]: readonly boolean[] } = {
    local: [false, true],
    closed: [true, true],
    open: [false, false],
  };
  for (const [name, begin, end] of interruptions) {
    for (const policy of policies) {
      test(`row 95: ${name}, ${policy}: nothing hangs, and all spending is there in the end (slow)`, async () => {
        await using server = await RedisServer.start();
        const flags = ["--on-counter-failure", policy];
        await using session = limited(server.url, "3calls/month", ...flags);
        expect(await refusals(session, 1, 2)).toEqual([false, false]);
        await eventually("it is written", () => amounts(server).spent === 2);
        await begin(server);
        expect(await refusals(session, 3, 4)).toEqual([...later[policy]]);
        await end(server);
        await eventually("it is back", () => session.stderr.text.includes("are available again"));
        const passed = 2 + later[policy].filter((isWithheld) => !isWithheld).length;
        await eventually("all is written", () => amounts(server).spent === passed);
        expect(isRefused(await session.ask(echo(9)))).toBe(passed >= 3);
        await session.finish();
        const { spent, held } = amounts(server);
        expect([spent, held]).toEqual([Math.max(3, passed), 0]);
        expect(sentences(session)).toHaveLength(1);
        const [away, ...more] = faults(session);
        expect(away).toBeString();
        expect(more).toEqual(name.includes("without its data") ? ["counters lost"] : []);
      });
    }
  }

  test("row 95: flushed while calls are open: the meter counts on, and nothing is negative", async () => {
    await using server = await RedisServer.start();
    await using session = limited(server.url, "500/month");
    await session.send(call("x", "echo", { text: "never" }));
    await eventually("it is open", () => amounts(server).held > 0);
    server.ask("FLUSHALL");
    expect(await refusals(session, 1, 3)).toEqual([false, false, false]);
    await session.finish();
    const { spent, held } = amounts(server);
    expect(spent).toBeGreaterThan(0);
    expect([spent <= 500, held]).toEqual([true, 0]);
    expect(faults(session)).toEqual([]);
  });

  test("row 95: a user without rights: NOPERM_KEYS, and the policy", async () => {
    await using server = await RedisServer.start();
    server.ask("ACL", "SETUSER", "ann", "on", ">canary", "~other:*", "+@all");
    const url = server.url.replace("//", "//ann:canary@");
    await using session = limited(url, "2calls/month");
    expect(await refusals(session, 1, 3)).toEqual([false, false, true]);
    await session.finish();
    expect(faults(session)).toEqual(["NOPERM_KEYS"]);
    expect(everythingOf(session)).not.toContain("canary");
  });
});

const lost = (session: Session): string[] =>
  session.stderr.lines.filter((line) => line.includes("has lost budget counters"));

describe.if(isThere)("row 113: a Redis that forgets under open connections", () => {
  for (const policy of policies) {
    const part = slowIf(policy !== "closed");
    test(`row 113: FLUSHALL, ${policy}: the counter continues from what was known, told once${part}`, async () => {
      await using server = await RedisServer.start();
      const flags = ["--on-counter-failure", policy];
      await using session = limited(server.url, "5calls/month", ...flags);
      await using other = limited(server.url, "5calls/month", ...flags);
      expect(await refusals(session, 1, 2)).toEqual([false, false]);
      expect(await refusals(other, 1, 1)).toEqual([false]);
      await eventually("it is written", () => amounts(server).spent === 3);
      server.ask("FLUSHALL");
      expect(await refusals(other, 2, 2)).toEqual([false]);
      await eventually("it is raised", () => amounts(server).spent === 4);
      server.ask("FLUSHALL");
      expect(await refusals(other, 3, 4)).toEqual([false, true]);
      expect(await refusals(session, 3, 3)).toEqual([true]);
      for (const one of [session, other]) await one.finish();
      expect(amounts(server)).toEqual({ spent: 5, held: 0 });
      expect([lost(other).length, faults(other)]).toEqual([1, ["counters lost"]]);
      expect([lost(session), faults(session)]).toEqual([[], []]);
    });
  }

  test("row 113: a reset by a person is not taken for a loss", async () => {
    await using server = await RedisServer.start();
    await using session = limited(server.url, "2calls/month");
    expect(await refusals(session, 1, 3)).toEqual([false, false, true]);
    await eventually("it is written", () => amounts(server).spent === 2);
    const reset = runMeter(["budgets", "--reset", "*", "--counters", server.url]);
    expect(reset.code).toBe(0);
    expect(await refusals(session, 4, 6)).toEqual([false, false, true]);
    await session.finish();
    expect([lost(session), faults(session)]).toEqual([[], []]);
  });
});

const canEncrypt = isThere && has("openssl", "row 97");

describe.if(canEncrypt)("row 97: a Redis with TLS and a certificate of its own", () => {
  test("row 97: refused unless its authority is named, and then used", async () => {
    using folder = new Folder();
    const [key, certificate] = [folder.at("key.pem"), folder.at("certificate.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
    Bun.spawnSync(["openssl", ...made, "-keyout", key, "-out", certificate], { stderr: "ignore" });
    const files = ["--tls-cert-file", certificate, "--tls-key-file", key];
    const flags = ["--tls-ca-cert-file", certificate, "--tls-auth-clients", "no"];
    await using server = await RedisServer.start("--tls-port", "0", ...files, ...flags);
    const port = freePort();
    server.ask("CONFIG", "SET", "tls-port", `${port}`);
    const url = `rediss://127.0.0.1:${port}`;
    await using stranger = limited(url, "1calls/month", "--on-counter-failure", "closed");
    expect(await refusals(stranger, 1, 1)).toEqual([true]);
    await stranger.finish();
    expect(sentences(stranger)[0]).toContain("its certificate is not trusted");
    await using session = metered(fixture("answers.sh"), {
      env: { MCP_METER_COUNTERS: url, NODE_EXTRA_CA_CERTS: certificate },
      flags: ["--server", "demo", "--budget", "1calls/month"],
    });
    expect(await refusals(session, 1, 2)).toEqual([false, true]);
    await session.finish();
    expect(sentences(session)).toEqual([]);
    expect(amounts(server).spent).toBe(1);
  });
});

describe.if(isThere)("row 96: the password of a Redis", () => {
  test("row 96: no command prints it, and no record has it", async () => {
    await using server = await RedisServer.start("--requirepass", "canary");
    const url = server.url.replace("//", "//:canary@");
    await using session = limited(url, "2calls/month", "--log", "{dir}/log.ndjson");
    expect(await refusals(session, 1, 3)).toEqual([false, false, true]);
    await session.finish();
    expect(everythingOf(session)).not.toContain("canary");
    expect(JSON.stringify(readLog(...logsBelow(session.dir)))).not.toContain("canary");
    const env = { ...process.env, MCP_METER_COUNTERS: url };
    for (const command of ["config", "doctor", "budgets"]) {
      const run = Bun.spawnSync([executable, command], { env });
      const printed = `${run.stdout.toString()}${run.stderr.toString()}`;
      expect(printed.length).toBeGreaterThan(0);
      expect(printed).not.toContain("canary");
    }
  });

  test("row 96: a URL with a mistake is not quoted", () => {
    for (const args of [
      ["--counters", "redis//:canary@x", "--budget", "1calls/month", "--", "true"],
      ["budgets", "--counters", "http://:canary@x"],
    ]) {
      const { code, stderr } = runMeter(args);
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain("--counters");
      expect(stderr).not.toContain("canary");
    }
  });
});
