import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { answerTo } from "../support/over-budget-answers.ts";
import { allowed, judgedByTime, quantile } from "../support/measure.ts";
import { call } from "../support/rpc.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { testMaxMs } from "../support/session.ts";
import { eachFirst, slowIf } from "../support/slow-cases.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { heldAnswerBytesMax } from "#transport/http/gated/held-events.ts";

setDefaultTimeout(testMaxMs);

const megabyte = 1_000_000;
const flooded = 6 * megabyte;

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

/** Their parts are read as those of others are. */
const slow: ReadonlySet<string> = new Set([
  "empty lines of CR and LF",
  "foreign JSON",
  "ids",
  "empty comments",
  "empty lines of data",
  "fields without a name",
  "events with ids",
  "one line",
  "unasked answers",
  "interim answers",
]);

/** Played without a budget too, and ended by a signal. */
const alsoOpen: ReadonlySet<string> = new Set(["empty lines", "short events", "notifications"]);

const reading = `
const answer = await fetch(process.argv[1], { method: "POST", body: process.argv[2], headers: { "content-type": "application/json" } });
try { for await (const _ of answer.body); } catch {}
`;

const fixture = [process.execPath, `${import.meta.dir}/../fixtures/floods-over-http.ts`];

class FloodedProxy implements Disposable {
  readonly #server: StartedProcess;
  readonly through: ServedProxy;

  private constructor(server: StartedProcess, through: ServedProxy) {
    this.#server = server;
    this.through = through;
  }

  static async start(words: readonly string[]): Promise<FloodedProxy> {
    const server = new StartedProcess(fixture);
    return new FloodedProxy(server, await ServedProxy.start(await server.firstLine(), words));
  }

  /** Another process reads the flood, so that this one has time for its own calls. */
  read([, text, how = "events"]: Flood, bytes: number): StartedProcess {
    const asked = JSON.stringify(call(7, "flood", { text, bytes, how }));
    return new StartedProcess([process.execPath, "-e", reading, this.through.url.href, asked]);
  }

  [Symbol.dispose](): void {
    for (const process of [this.through, this.#server]) process[Symbol.dispose]();
  }
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
    await Bun.sleep(5);
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
  const open = floods.filter(([name]) => alsoOpen.has(name));
  const settings = [
    { setting: "behind a budget", words: budget, played: floods },
    { setting: "without a budget", words: [], played: open },
  ];
  describe.each(settings)("$setting", ({ setting, words, played }) => {
    let proxy: FloodedProxy;
    beforeAll(async () => {
      proxy = await FloodedProxy.start(words);
    });
    afterAll(() => proxy[Symbol.dispose]());

    for (const flood of played) {
      const name = `${flood[0]}, ${setting}`;
      const part = slowIf(slow.has(flood[0]));
      test(
        `row 160: ${name} → read at a steady rate, and others wait 50 ms${part}`,
        async () => {
          const { pid } = proxy.through.started.child;
          const before = usedMs(pid);
          using reader = proxy.read(flood, flooded);
          const times = await callTimes(proxy.through.url, () => reader.child.exitCode !== null);
          const rate = flooded / (usedMs(pid) - before) / 1_000;
          figures(`${name}: ${rate.toFixed(0)} MB/s, longest ${Math.max(...times).toFixed(0)} ms`);
          expect(quantile(times, nearlyAll)).toBeLessThan(allowed(50));
          expect(rate).toBeGreaterThan(slowest);
        },
        judgedByTime,
      );
    }
  });

  eachFirst(
    1,
    open.flatMap((flood) => settings.map(({ setting, words }) => ({ setting, words, flood }))),
  )(
    "row 160: $flood.0, $setting, then TERM → the end within 2 s",
    async ({ setting, words, flood }) => {
      using proxy = await FloodedProxy.start(words);
      using reader = proxy.read(flood, 60 * megabyte);
      await Bun.sleep(500);
      expect(reader.child.exitCode).toBeNull();
      const startedMs = performance.now();
      expect(reader.child.exitCode).toBeNull();
      expect(await proxy.through.started.end()).toBe(0);
      const ms = performance.now() - startedMs;
      figures(`${flood[0]}, ${setting}: TERM ${ms.toFixed(0)} ms`);
      expect(ms).toBeLessThan(allowed(2_000));
    },
    judgedByTime,
  );
});

test(
  "row 160: a batch of 5,000 forbidden calls → others wait 50 ms (slow)",
  async () => {
    using proxy = await FloodedProxy.start(["--budget", "gone=0"]);
    const { url } = proxy.through;
    const batch = Array.from({ length: 5_000 }, (_, at) => call(at, "gone"));
    const headers = { "content-type": "application/json" };
    let isOver = false;
    const sent = fetch(url, { method: "POST", headers, body: JSON.stringify(batch) });
    const refused = sent.then((answer) => answer.text()).finally(() => (isOver = true));
    const times = await callTimes(url, () => isOver);
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
    using proxy = await FloodedProxy.start(budget);
    const { pid } = proxy.through.started.child;
    using reader = proxy.read(["an event", `data: ${start}${"a".repeat(60_000)}\n`], 0);
    let mostBytes = 0;
    await eventually(
      "the end of the stream",
      () => {
        mostBytes = Math.max(mostBytes, unlinkedBytes(pid));
        return reader.child.exitCode !== null;
      },
      testMaxMs,
    );
    expect(mostBytes).toBeGreaterThan(heldAnswerBytesMax / 2);
    expect(mostBytes).toBeLessThanOrEqual(heldAnswerBytesMax);
    expect(unlinkedBytes(pid)).toBe(0);
  },
);
