import { expect, test } from "bun:test";
import { benchOptions } from "../../support/bench.ts";
import { type Bench, withBench } from "../../../scripts/bench/bench.ts";
import { fixture } from "../../../scripts/bench/contestants.ts";
import { callAnswerLine, callLine, joinLines } from "../../../scripts/bench/messages.ts";
import { pacedCalls } from "../../../scripts/bench/pace.ts";
import { Peer, withPeer, withPeers } from "../../../scripts/bench/peer.ts";
import {
  findProcesses,
  isAlive,
  peakResidentMb,
  threadCount,
  watchProcessor,
} from "../../../scripts/bench/procfs.ts";

function withServer<T>(work: (peer: Peer, bench: Bench) => Promise<T>): Promise<T> {
  return withBench(benchOptions, (bench) =>
    withPeer(bench, fixture("answering"), (peer) => work(peer, bench)),
  );
}

test("answers that are right are read to their end", async () => {
  await withServer(async (peer) => {
    await Promise.all([
      peer.send(joinLines(callLine, 1, 5001)),
      peer.expect(joinLines(callAnswerLine, 1, 5001)),
    ]);
    await peer.send(Buffer.from(callLine(1)));
    await peer.drain(Buffer.byteLength(callAnswerLine(1)));
  });
});

test("the first wrong byte is named", async () => {
  const wrong = withServer(async (peer) => {
    await peer.send(Buffer.from(callLine(7)));
    await peer.expect(Buffer.from(callAnswerLine(8)));
  });
  await expect(wrong).rejects.toThrow("at byte 22");
});

test("bytes that nobody asked for are an error", async () => {
  const long = withServer(async (peer) => {
    await peer.send(Buffer.from(callLine(7)));
    await peer.drain(10);
  });
  await expect(long).rejects.toThrow("nobody asked for");
});

test("an exit code other than 0 is an error", async () => {
  const failing = withBench(benchOptions, (bench) =>
    withPeer(bench, ["sh", "-c", "exit 3"], async () => {}),
  );
  await expect(failing).rejects.toThrow("ended with code 3");
});

test("a server that does not end is killed at the end of its lifetime", async () => {
  const endless = withBench(benchOptions, (bench) =>
    withPeers(bench, [["sleep", "60"]], async ([peer]) => peer?.line(), 100),
  );
  await expect(endless).rejects.toThrow("output ended before its last answer");
});

test("the handshake tells the server's pid, and the pid is gone afterwards", async () => {
  const pid = await withServer(async (peer) => {
    const serverPid = await peer.handshake();
    expect(serverPid).toBe(peer.pid);
    expect(isAlive(serverPid)).toBe(true);
    expect(peakResidentMb(serverPid)).toBeGreaterThan(1);
    expect(watchProcessor(serverPid)()).toBeGreaterThanOrEqual(0);
    expect(threadCount(serverPid)).toBeGreaterThan(0);
    return serverPid;
  });
  expect(isAlive(pid)).toBe(false);
  expect([peakResidentMb(pid), watchProcessor(pid)(), threadCount(pid)]).toEqual([
    undefined,
    Number.NaN,
    undefined,
  ]);
});

test("a process is found by an argument, as long as it runs", async () => {
  const marker = `marker-${crypto.randomUUID()}`;
  expect(findProcesses(marker)).toEqual([]);
  const pid = await withBench(benchOptions, (bench) =>
    withPeer(bench, [...fixture("answering"), marker], async (peer) => {
      await peer.handshake();
      expect(findProcesses(marker)).toEqual([peer.pid]);
      return peer.pid;
    }),
  );
  expect(findProcesses(marker)).not.toContain(pid);
});

test("the end of a killed server is not an error of its own", async () => {
  await withBench(benchOptions, async (bench) => {
    const peer = new Peer(bench, fixture("answering"), 20_000);
    await peer.handshake();
    peer.kill();
    expect(await peer.exited).toBe(137);
    await expect(peer.line()).rejects.toThrow("output ended before its last answer");
  });
});

test("paced calls take their time and are counted", async () => {
  await withServer(async (peer) => {
    const startedMs = performance.now();
    let seconds = 0;
    let bytes = 0;
    const hooks = {
      everySecond: () => seconds++,
      onRead: (chunk: Uint8Array) => (bytes += chunk.length),
    };
    expect(await pacedCalls(peer, { perSecond: 20, seconds: 1, firstId: 5 }, hooks)).toBe(20);
    expect([seconds, bytes]).toEqual([1, joinLines(callAnswerLine, 5, 25).length]);
    expect(performance.now() - startedMs).toBeGreaterThan(900);
  });
});
