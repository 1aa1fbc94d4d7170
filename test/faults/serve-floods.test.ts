import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { answerTo } from "../support/exceeding-forms.ts";
import { allowed, judgedByTime, quantile } from "../support/measure.ts";
import { call } from "../support/rpc.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { testMaxMs } from "../support/session.ts";
import { Started } from "../support/started.ts";
import { eventually } from "../support/wait.ts";
import { heldAnswerBytesMax } from "#transport/http/gated/held-events.ts";

setDefaultTimeout(testMaxMs);

const megabyte = 1_000_000;
const flooded = 20 * megabyte;

type Flood = readonly [name: string, text: string, how?: "events" | "chunks" | "interim" | "body"];

const floods: readonly Flood[] = [
  ["empty lines", "\n"],
  ["empty lines of CR and LF", "\r\n"],
  ["empty comments", ":\n"],
  ["comments", ": keep\n"],
  ["empty lines of data", "data:\n"],
  ["data without a colon", "data\n"],
  ["fields without a name", "x\n"],
  ["ids", "id:1\n"],
  ["short events", "data:x\n\n"],
  ["events with ids", "id:1\ndata:x\n\n"],
  ["notes", "id\n\n"],
  ["one line", "x"],
  ["foreign JSON", 'data: {"level":"info","msg":"hello"}\n\n'],
  ["notifications", 'data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'],
  ["unasked answers", 'data: {"jsonrpc":"2.0","id":999,"result":{}}\n\n'],
  ["chunks of a byte", "1\r\n\n\r\n", "chunks"],
  ["a body of brackets", "[", "body"],
  ["interim answers", "HTTP/1.1 100 Continue\r\n\r\n", "interim"],
];

/** Played without a budget too, and ended by a signal. */
const alsoOpen: ReadonlySet<string> = new Set(["empty lines", "short events", "notifications"]);

const reading = `
const answer = await fetch(process.argv[1], { method: "POST", body: process.argv[2], headers: { "content-type": "application/json" } });
try { for await (const _ of answer.body); } catch {}
`;

async function floodedProxy(
  words: readonly string[],
  [, text, how = "events"]: Flood,
  bytes: number,
) {
  const fixture = [process.execPath, `${import.meta.dir}/../fixtures/floods-over-http.ts`];
  const server = new Started([...fixture, text, String(bytes), how]);
  const through = await ServedProxy.start(await server.firstLine(), words);
  const asked = JSON.stringify(call(7, "flood"));
  const reader = new Started([process.execPath, "-e", reading, through.url.href, asked]);
  return {
    through,
    reader,
    [Symbol.dispose]: () => {
      for (const process of [reader, through, server]) process[Symbol.dispose]();
    },
  };
}

function usedMs(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

async function callTimes(url: URL, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let id = 1; !isOver(); id += 1) {
    const headers = { "content-type": "application/json" };
    const startedMs = performance.now();
    const body = JSON.stringify(call(id, "short"));
    await (await fetch(url, { method: "POST", body, headers })).text();
    times.push(performance.now() - startedMs);
    await Bun.sleep(2);
  }
  return times;
}

// A busy machine delays a few calls; a step that takes too long delays most of them.
const nearlyAll = 0.9;
// Megabytes a second: far below the rates that the bench `floods` wants, far above that of a form that is not linear.
const slowest = 1;
const budget = ["--budget", "*=100k"];
const figures = process.env["FLOOD_FIGURES"] === undefined ? () => undefined : console.log;

describe("a flood of an answer", () => {
  const cases = floods.flatMap((flood) => {
    const open = { name: `${flood[0]}, without a budget`, flood, words: [] };
    const gated = { name: `${flood[0]}, behind a budget`, flood, words: budget };
    return alsoOpen.has(flood[0]) ? [gated, open] : [gated];
  });
  test.each(cases)(
    "row 160: $name → read at a steady rate, and others wait 50 ms",
    async ({ name, flood, words }) => {
      using one = await floodedProxy(words, flood, flooded);
      const { pid } = one.through.started.child;
      const before = usedMs(pid);
      const isRead = () => one.reader.child.exitCode !== null;
      const times = await callTimes(one.through.url, isRead);
      const rate = flooded / (usedMs(pid) - before) / 1_000;
      figures(`${name}: ${rate.toFixed(0)} MB/s, longest ${Math.max(...times).toFixed(0)} ms`);
      expect(quantile(times, nearlyAll)).toBeLessThan(allowed(50));
      expect(rate).toBeGreaterThan(slowest);
    },
    judgedByTime,
  );

  test.each(cases.filter(({ flood }) => alsoOpen.has(flood[0])))(
    "row 160: $name, then TERM → the end within 2 s",
    async ({ name, flood, words }) => {
      using one = await floodedProxy(words, flood, 3 * flooded);
      await Bun.sleep(500);
      const startedMs = performance.now();
      expect(await one.through.started.end()).toBe(0);
      const ms = performance.now() - startedMs;
      figures(`${name}: TERM ${ms.toFixed(0)} ms`);
      expect(ms).toBeLessThan(allowed(2_000));
    },
    judgedByTime,
  );
});

test(
  "row 160: a batch of 5,000 forbidden calls → others wait 50 ms",
  async () => {
    using one = await floodedProxy(["--budget", "gone=0"], ["nothing", "x"], 1);
    const batch = Array.from({ length: 5_000 }, (_, at) => call(at, "gone"));
    const headers = { "content-type": "application/json" };
    let isOver = false;
    const sent = fetch(one.through.url, { method: "POST", headers, body: JSON.stringify(batch) });
    const refused = sent.then((answer) => answer.text()).finally(() => (isOver = true));
    const times = await callTimes(one.through.url, () => isOver);
    expect((await refused).match(/mcp-meter: /g)).toHaveLength(batch.length);
    expect(quantile(times, nearlyAll)).toBeLessThan(allowed(50));
  },
  judgedByTime,
);

function unlinkedBytes(pid: number): number {
  const sizes = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    const file = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
    return file?.isFile() === true && file.nlink === 0 ? file.size : 0;
  });
  return Math.max(...sizes);
}

test.if(process.platform === "linux")(
  "row 162: an event without an end is broken off before it fills the disk (slow)",
  async () => {
    const start = answerTo(7, "").slice(0, 60);
    using one = await floodedProxy(
      budget,
      ["an event", `data: ${start}${"a".repeat(60_000)}\n`],
      0,
    );
    let mostBytes = 0;
    await eventually(
      "the end of the stream",
      () => {
        mostBytes = Math.max(mostBytes, unlinkedBytes(one.through.started.child.pid));
        return one.reader.child.exitCode !== null;
      },
      testMaxMs,
    );
    expect(mostBytes).toBeGreaterThan(heldAnswerBytesMax / 2);
    expect(mostBytes).toBeLessThanOrEqual(heldAnswerBytesMax);
    expect(unlinkedBytes(one.through.started.child.pid)).toBe(0);
  },
);
