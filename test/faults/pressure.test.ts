import { describe, expect, test, setDefaultTimeout } from "bun:test";
import { writeFileSync } from "node:fs";

import { memoryOf } from "../support/processes.ts";
import { call, notification, textResult } from "../support/rpc.ts";
import { bare, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const megabyte = 1_000_000;
const inFlightBytesMax = 4 * megabyte;

async function writeUntilBlocked(session: Session, quietMs = 400): Promise<number> {
  const block = Buffer.from(
    `${JSON.stringify(notification("n", { text: "x".repeat(1_000) }))}\n`.repeat(60),
  );
  let taken = 0;
  for (let quietSince = performance.now(); performance.now() - quietSince < quietMs;) {
    const count = session.input.offer(block);
    taken += count;
    if (count > 0) quietSince = performance.now();
    else await Bun.sleep(1);
    if (taken > 100 * megabyte) break;
  }
  return taken;
}

async function untilBlocked({ stderr }: Session, quietMs = 400): Promise<number> {
  const progress = () => Number(stderr.lines.at(-1) ?? 0);
  let last = await eventually("progress", () => progress() || undefined);
  for (let quietSince = performance.now(); performance.now() - quietSince < quietMs;) {
    await Bun.sleep(1);
    if (progress() === last) continue;
    last = progress();
    quietSince = performance.now();
  }
  return last;
}

test("row 24: the server never reads → the client blocks, memory flat", async () => {
  await using session = metered(fixture("never-reads"));
  await session.line("ready");
  const before = memoryOf(session.pid).now;
  const taken = await writeUntilBlocked(session);
  expect(taken).toBeLessThan(inFlightBytesMax);
  expect(memoryOf(session.pid).now - before).toBeLessThan(32 * megabyte);
});

test("row 25: the client never reads → the server blocks, memory flat, nothing lost in the end (slow)", async () => {
  const total = 20 * megabyte;
  const digests: string[] = [];
  for (const start of [bare, metered]) {
    await using session = start(fixture("floods", String(total), "3"), {
      flags: ["--summary", "off"],
    });
    session.stdout.pause();
    const progress = await untilBlocked(session);
    expect(progress).toBeLessThan(inFlightBytesMax);
    expect(memoryOf(session.pid).now).toBeLessThan(130 * megabyte);
    session.stdout.resume();
    expect(await session.finish(20_000)).toEqual({ code: 3, signal: null });
    digests.push(Bun.hash(session.stdout.bytes).toString());
  }
  expect(digests[1]).toBe(digests[0] ?? "");
}, 60_000);

// Without a meter, two such peers block each other, too: the meter must not make one direction wait for the other.
describe("row 26: both write 3 MB before reading → no deadlock", () => {
  const line = `${JSON.stringify(notification("n", { text: "x".repeat(1_000) }))}\n`;
  const megabytes3 = Buffer.from(line.repeat(Math.ceil((3 * megabyte) / line.length)));

  test("row 26: the server blocks on its 3 MB while the client's 3 MB are on their way", async () => {
    await using session = metered(fixture("writes-before-reading"));
    session.stdout.pause();
    const written = session.input.write(megabytes3, 20_000);
    await Bun.sleep(300);
    session.stdout.resume();
    await written;
    expect(await session.finish(20_000)).toEqual({ code: 0, signal: null });
    expect(session.stdout.text).toContain(`"read":${megabytes3.length}`);
    expect(session.stdout.length).toBeGreaterThan(3 * megabyte);
  }, 40_000);

  test("row 26: the client blocks on its 3 MB and reads nothing, the server listens", async () => {
    await using session = metered(fixture("never-answers"));
    session.stdout.pause();
    await session.input.write(megabytes3, 20_000);
    expect(await session.finish(20_000)).toEqual({ code: 0, signal: null });
  }, 40_000);
});

describe("row 27: the server exits with much unread → all bytes, then its code", () => {
  test("row 27: 20 MB, the client looks away at the start (slow)", async () => {
    await using session = metered(fixture("floods", String(20 * megabyte), "7"));
    session.stdout.pause();
    await Bun.sleep(600);
    session.stdout.resume();
    expect(await session.exited(20_000)).toEqual({ code: 7, signal: null });
    await eventually("stdout closed", () => session.stdout.ended);
    expect(session.stdout.length).toBeGreaterThan(20 * megabyte);
    expect(session.stdout.lines.at(-1)).toBe('{"jsonrpc":"2.0","id":"last","result":{}}');
  }, 40_000);

  for (const kilobytes of [50, 100, 200, 400]) {
    test(`row 27: the last ${kilobytes} KB are still there when the client looks away for a second (slow)`, async () => {
      await using session = metered(fixture("floods", String(kilobytes * 1_000), "7"));
      session.stdout.pause();
      await Bun.sleep(1_000);
      session.stdout.resume();
      expect(await session.ended()).toEqual({ code: 7, signal: null });
      expect(session.stdout.lines.at(-1)).toBe('{"jsonrpc":"2.0","id":"last","result":{}}');
    });
  }

  for (const kilobytes of [100, 180]) {
    test(`row 27: the last ${kilobytes} KB are still there for a slow client that has closed its end (slow)`, async () => {
      await using session = metered(["sh", "-c", "cat >/dev/null; cat answer; exit 8"], {
        prepare: (dir) => writeFileSync(`${dir}/answer`, "x".repeat(kilobytes * 1024)),
        stdio: "pipes",
      });
      session.stdout.pause();
      session.input.end();
      await Bun.sleep(3_000);
      session.stdout.resume();
      expect(await session.ended()).toEqual({ code: 8, signal: null });
      await eventually("stdout closed", () => session.stdout.ended);
      expect(session.stdout.length).toBe(kilobytes * 1024);
    });
  }

  test("row 27: an answer of 5 MB that the server writes right before it exits", async () => {
    const words = "w ".repeat(2_500_000);
    const script = `${JSON.stringify(textResult(1, words))}\n`;
    await using session = metered(["sh", "-c", "head -n 1 >/dev/null; cat answer; exit 8"], {
      prepare: (dir) => writeFileSync(`${dir}/answer`, script),
    });
    await session.send(call(1, "x"));
    expect(await session.ended()).toEqual({ code: 8, signal: null });
    expect(session.stdout.length).toBe(script.length);
  });
});

for (const flags of [[], ["--budget", "forbidden=0"]]) {
  test(`a server that ended in the middle of a long line, and a client that pauses: all of it arrives, ${flags[0] ?? "open"} (slow)`, async () => {
    const pausing = 'sleep 3 | "$0" "$@" | { sleep 1.5; wc -c; }';
    const server = ["sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' a"];
    await using session = metered(server, { flags, under: ["sh", "-c", pausing] });
    await session.ended();
    expect(Number(session.stdout.text)).toBe(1_000_000);
  });
}
