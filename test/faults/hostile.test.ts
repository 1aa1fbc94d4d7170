import { describe, expect, test, setDefaultTimeout } from "bun:test";

import { allowed, judgedByTime, pingTimes, quantile } from "../support/measure.ts";
import { memoryOf } from "../support/processes.ts";
import { call, initialize, request, textResult } from "../support/rpc.ts";
import { fixture, metered, runMeter, type Session, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

const megabyte = 1_000_000;
/** One line is observed up to this length; the contract's own number. */
const observedBytesMax = 8 * 1024 * 1024;

async function bigAnswer(
  session: Session,
  id: number,
  repeat: string,
  times: number,
): Promise<void> {
  const [before = "", after = ""] = JSON.stringify(textResult(id, "|")).split("|");
  const from = session.stdout.length;
  await session.send(call(id, "big", { before, repeat, times, after }));
  const length = before.length + Buffer.byteLength(repeat) * times + after.length + 1;
  for (let waited = 0; session.stdout.length < from + length && waited < 20_000; waited++) {
    await Bun.sleep(1);
  }
  expect(session.stdout.length).toBeGreaterThanOrEqual(from + length);
}

describe("row 18: lines longer than anybody observes", () => {
  for (const [megabytes, truncated] of [
    [1, false],
    [10, true],
    [100, true],
  ] as const) {
    test(`row 18: ${megabytes} MB from the server → forwarded, ${truncated ? "flagged" : "observed whole"} (slow)`, async () => {
      await using session = metered(fixture("puppet"));
      await session.ask(initialize());
      const before = memoryOf(session.pid).peak;
      await bigAnswer(session, 1, "a fine day ", Math.ceil((megabytes * megabyte) / 11));
      const grown = memoryOf(session.pid).peak - before;
      await session.ask(request(2, "ping"));
      await session.finish();
      expect(session.stdout.text.match(/a fine day /g)?.length).toBe(
        Math.ceil((megabytes * megabyte) / 11),
      );
      expect(session.records("call")).toMatchObject([{ tool: "big", truncated }]);
      expect(grown).toBeLessThan(64 * megabyte + 2 * observedBytesMax);
    }, 60_000);
  }

  test("row 18: 10 MB from the client → forwarded and flagged (slow)", async () => {
    await using session = metered(["cat"]);
    const long = `${JSON.stringify(call(1, "up", { text: "x".repeat(10 * megabyte) }))}\n`;
    await session.input.write(long);
    await session.finish(20_000);
    expect(session.stdout.bytes.equals(Buffer.from(long))).toBe(true);
    expect(session.records("end")).toHaveLength(1);
  });
});

describe("row 19: nesting deeper than any parser goes", () => {
  for (const levels of [100_000, 2_000_000, 5_000_000]) {
    test(
      `row 19: ${levels} levels → forwarded, and traffic stands still for less than 250 ms${slowIf(levels !== 2_000_000)}`,
      async () => {
        await using session = metered(fixture("puppet"));
        await session.ask(initialize());
        const before = '{"jsonrpc":"2.0","id":1,"result":';
        const from = session.stdout.length;
        const deep = { before, repeat: "[", times: levels, after: `${"]".repeat(10)}}` };
        await session.send(call(1, "deep", deep));
        await session.grows(from, "]]]}\n", 20_000);
        const stalls = await pingTimes(session, 40);
        await session.finish();
        expect(session.stdout.length).toBeGreaterThan(levels);
        expect(Math.max(...stalls)).toBeLessThan(allowed(250));
      },
      judgedByTime,
    );
  }

  test("row 19: well-formed nesting in the arguments of a call", judgedByTime, async () => {
    const levels = 1_000_000;
    await using session = metered(["cat"]);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deep","arguments":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}}\n`;
    await session.input.write(deep);
    await session.grows(0, "]}}}\n", 20_000);
    const stalls = await pingTimes(session, 40);
    await session.finish();
    expect(session.stdout.bytes.subarray(0, deep.length).equals(Buffer.from(deep))).toBe(true);
    expect(Math.max(...stalls)).toBeLessThan(allowed(250));
  });
});

describe("row 20: text that makes a tokenizer slow → forwarded first, other traffic goes on", () => {
  const bombs: ReadonlyArray<readonly [string, string]> = [
    ["equal signs", "="],
    ["Hangul", "한"],
    ["spaces", " "],
    ["one endless word", "a"],
    ["digits", "7"],
    ["emoji", "🧨"],
    ["newlines", "\\n"],
  ];
  for (const [name, repeat] of bombs) {
    test(
      `row 20: 1 MB of ${name} (slow)`,
      async () => {
        await using session = metered(fixture("puppet"));
        await session.ask(initialize());
        await pingTimes(session, 10);
        const started = performance.now();
        await bigAnswer(session, 1, repeat, Math.ceil(megabyte / Buffer.byteLength(repeat)));
        const arrived = performance.now() - started;
        const pings = await pingTimes(session, 120, 2);
        await session.finish(20_000);
        expect(arrived).toBeLessThan(allowed(500));
        expect(quantile(pings, 0.98)).toBeLessThan(allowed(50));
        expect(Math.max(...pings)).toBeLessThan(allowed(250));
        expect(session.records("call")).toMatchObject([{ tool: "big", outcome: "ok" }]);
      },
      judgedByTime,
    );
  }
});

const dangerous = /[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\uFFFD/gu;
const rawControl = /[^\P{Cc}\n]/gu;

function found(pattern: RegExp, text: string): string[] {
  const hits = text.match(pattern) ?? [];
  return [...new Set(hits)].map((hit) => `U+${hit.codePointAt(0)?.toString(16) ?? ""}`);
}

describe("row 21: hostile names", () => {
  const names = [
    "__proto__",
    "constructor",
    "toString",
    "\u001b[2J\u001b]0;owned\u0007",
    "\u202egnp.exe\u2066",
    "two\nlines\r\n",
    "nul\0bell\u0007del\u007fcsi\u009b31m",
    "\ud800 lone \udfff",
    "zero\u200bwidth\ufeff",
    '|pipe`tick`<b>html</b>,comma"quote',
    "x".repeat(10_000),
    "",
  ];

  async function play(flags: readonly string[]): Promise<Session> {
    const session = metered(fixture("honest"), { flags });
    await session.ask(initialize());
    for (const [index, name] of names.entries()) await session.ask(call(index, name));
    await session.finish();
    return session;
  }

  for (const form of ["table", "markdown", "json"]) {
    const part = slowIf(form === "json");
    test(`row 21: in the ${form} summary, in the log and in the report → right counts, no raw control${part}`, async () => {
      await using session = await play(["--summary", form]);
      const [path = ""] = session.logPaths;
      const { records, raw } = session.log();
      const report = runMeter(["report", path], session);
      const calls = records.filter(({ type }) => type === "call");
      expect(calls).toHaveLength(names.length);
      expect(new Set(calls.map(({ tool }) => tool)).size).toBe(names.length);
      expect(found(rawControl, raw.toString())).toEqual([]);
      expect(found(dangerous, session.stderr.text)).toEqual([]);
      expect(report.code).toBe(0);
      expect(found(dangerous, report.stdout)).toEqual([]);
      expect(session.stderr.text.includes("proto")).toBe(true);
      expect(form === "json" || !session.stderr.text.includes("x".repeat(1_000))).toBe(true);
    });
  }

  test("row 21: names given in the listing and by the server itself", async () => {
    await using session = metered(fixture("puppet"));
    const tools = names.map((name) => ({
      name,
      description: name,
      inputSchema: { type: "object" },
    }));
    const serverInfo = { name: "evil\u001b[31m\n/../../x", version: "\u202e1" };
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo };
    const say = [
      JSON.stringify({ jsonrpc: "2.0", id: "hello", result: hello }),
      JSON.stringify({ jsonrpc: "2.0", id: "list", result: { tools } }),
    ];
    await session.send(request("hello", "x/initialize"), request("list", "tools/list", { say }));
    await session.line('"list"');
    await session.finish();
    expect(found(dangerous, session.stderr.text)).toEqual([]);
    expect(found(rawControl, session.log().raw.toString())).toEqual([]);
    expect(session.log().torn).toEqual([]);
    for (const path of session.logPaths)
      expect(path).toMatch(/\/mcp-meter\/sessions\/[^/]+\/[\w.:-]+$/);
  });
});

test("row 22: 100 000 distinct tool names → bounded, the rest in one row (slow)", async () => {
  const count = 100_000;
  await using session = metered(["cat"]);
  const pairs = Array.from(
    { length: count },
    (_, index) =>
      `${JSON.stringify(call(index, `tool-${index}`))}\n{"jsonrpc":"2.0","id":${index},"result":{}}\n`,
  );
  await session.input.write(pairs.join(""), 240_000);
  const wanted = pairs.reduce((sum, pair) => sum + pair.length, 0);
  for (let waited = 0; session.stdout.length < wanted && waited < 30_000; waited++)
    await Bun.sleep(1);
  const { now } = memoryOf(session.pid);
  expect(await session.finish(60_000)).toEqual({ code: 0, signal: null });
  expect(session.stdout.length).toBe(wanted);
  expect(now).toBeLessThan(400 * megabyte);
  expect(session.stderr.text).toContain("(other)");
  expect(session.stderr.lines.length).toBeLessThan(20_000);
}, 300_000);

test("row 23: pages are one listing, and after a change the newest listing counts", async () => {
  await using session = metered(fixture("lists-in-pages"));
  await session.ask(initialize());
  const list = async (id: string) => {
    await session.ask(request(`${id}-1`, "tools/list"));
    await session.ask(request(`${id}-2`, "tools/list", { cursor: "page-2" }));
  };
  await list("old");
  await session.ask(call(1, "change"));
  await list("new");
  await session.finish();
  const newest = JSON.stringify(session.records("definitions").at(-1) ?? {});
  for (const name of ["alpha_v2", "beta_v2", "gamma_v2"]) expect(newest).toContain(name);
  expect(newest).not.toContain("_v1");
  expect(session.stderr.text).not.toContain("_v1");
});
