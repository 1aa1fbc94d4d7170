import { expect, setDefaultTimeout, test } from "bun:test";
import { dlopen } from "bun:ffi";
import { closeSync } from "node:fs";
import {
  monotonicMs,
  delivery,
  sharedMemory,
  threadState,
  word,
} from "#transport/forwarder/shared-memory.ts";
import { type Passed, PassedReader } from "#transport/forwarder/passed-reader.ts";
import type { PortEnds } from "#transport/forwarder/port.ts";
import { loadC, openPipe, openSocketPair, type Pipe } from "#kit/os/pipe.ts";
import { concat, textOf } from "../../support/bytes.ts";
import { Folder } from "../../support/folder.ts";
import { hasThread } from "../../support/forwarder.ts";
import { PipeReader, PipeWriter } from "../../support/pipes.ts";
import { testMaxMs } from "../../support/session.ts";
import { eventually } from "../../support/wait.ts";

setDefaultTimeout(testMaxMs);

const shutReading = 0;

const [setFlags, nonBlocking] = [4, 0o4000];

const threadFile = new URL("../../../src/transport/forwarder/thread.ts", import.meta.url);

function forwarding(
  open: (platform: string) => Pipe | undefined = openPipe,
  spoolPath = "/nowhere/spool",
) {
  const pipe = (): Pipe => open("linux") ?? failed();
  const [fromClient, toServer, fromServer, toClient, stop] = [
    pipe(),
    pipe(),
    pipe(),
    pipe(),
    pipe(),
  ];
  const memory = sharedMemory();
  const worker = new Worker(threadFile);
  const news: string[] = [];
  worker.addEventListener("message", ({ data }: { data: string }) => void news.push(data));
  const start = (): void =>
    worker.postMessage(
      {
        buffer: memory.buffer,
        fromClient: end(fromClient.readEnd, fromClient),
        toServer: end(toServer.writeEnd, toServer),
        fromServer: end(fromServer.readEnd, fromServer),
        toClient: end(toClient.writeEnd, toClient),
        stopFd: stop.readEnd,
        spoolPath,
        clockOffsetMs: performance.now() - monotonicMs(loadC()),
      },
      [],
    );
  const c = loadC();
  for (const { readEnd, writeEnd } of [fromClient, toServer, fromServer, toClient]) {
    for (const fd of [readEnd, writeEnd]) c.fcntl(fd, setFlags, nonBlocking);
  }
  const reader = new PassedReader(memory);
  const passed: Passed[] = [];
  const take = (): Passed[] => {
    for (let one = reader.next(); one; one = reader.next()) passed.push(one);
    return passed;
  };
  return {
    memory,
    news,
    start,
    take,
    text: (side: Passed["from"]) =>
      textOf(concat(take().flatMap(({ from, bytes }) => (from === side && bytes ? [bytes] : [])))),
    client: new PipeWriter(fromClient.writeEnd),
    fromServer: new PipeReader(toClient.readEnd),
    server: new PipeWriter(fromServer.writeEnd),
    fromClient: new PipeReader(toServer.readEnd),
    toClient: toClient.readEnd,
    stop: () => closeSync(stop.writeEnd),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

function end(fd: number, { isSocket }: Pipe): PortEnds {
  return { fd, ownFd: fd, isSocket };
}

function failed(): never {
  throw new Error("no pipe");
}

for (const [kind, open] of [
  ["pipes", openPipe],
  ["sockets", openSocketPair],
] as const) {
  test.skipIf(!hasThread)(
    `${kind}: both ways at once, published as they passed, and ended one after the other`,
    async () => {
      using folder = new Folder();
      using one = forwarding(open, folder.at("spool"));
      one.start();
      const [question, answer] = ["q".repeat(3_000_000), "a".repeat(3_000_000)];
      const written = [one.client.write(question), one.server.write(answer)];
      await eventually("both", () => {
        one.take();
        return one.fromClient.length === question.length && one.fromServer.length === answer.length;
      });
      await Promise.all(written);
      expect([one.fromClient.text === question, one.fromServer.text === answer]).toEqual([
        true,
        true,
      ]);
      expect([one.text("client") === question, one.text("server") === answer]).toEqual([
        true,
        true,
      ]);
      one.client.end();
      await eventually("the client's end", () => one.news.includes("ended"));
      expect(Atomics.load(one.memory.words, word.clientEnded)).toBe(1);
      expect(Atomics.load(one.memory.words, word.serverEnded)).toBe(0);
      await eventually("the end at the server", () => one.fromClient.ended);
      await one.server.write("last");
      one.server.end();
      await eventually(
        "the server's end",
        () => Atomics.load(one.memory.words, word.serverEnded) === 1,
      );
      expect(
        one
          .take()
          .filter(({ bytes }) => !bytes)
          .map(({ from }) => from),
      ).toEqual(["client", "server"]);
      expect(one.news).not.toContain("stopped");
      one.stop();
      await eventually("its stop", () => one.news.includes("stopped"));
    },
  );
}

test.skipIf(!hasThread)(
  "a client that does not read: its bytes wait, the other direction passes, nothing is lost",
  async () => {
    using folder = new Folder();
    using one = forwarding(openPipe, folder.at("spool"));
    one.fromServer.pause();
    one.start();
    const answer = "a".repeat(1_000_000);
    const written = one.server.write(answer, testMaxMs);
    const state = (): number => Atomics.load(one.memory.words, word.delivery);
    await eventually("a full pipe", () => state() === delivery.waitsForClient);
    await one.client.write("passes");
    await eventually("the question", () => one.fromClient.text === "passes");
    one.fromServer.resume();
    await written;
    await eventually("the answer", () => one.fromServer.text === answer);
    await eventually("a quiet wire", () => state() === delivery.none);
  },
);

test.skipIf(!hasThread)(
  "a judge that takes nothing, and no disk: the wire waits for it, and nothing is lost",
  async () => {
    using one = forwarding();
    one.start();
    const answer = "a".repeat(5_000_000);
    const written = one.server.write(answer, testMaxMs);
    const { words } = one.memory;
    await eventually(
      "a full ring",
      () => Atomics.load(words, word.delivery) === delivery.waitsForJudge,
    );
    expect(one.fromServer.length).toBeLessThan(answer.length);
    await eventually("the answer", () => {
      one.take();
      return one.fromServer.length === answer.length;
    });
    await written;
    expect(one.text("server") === answer).toBe(true);
  },
);

test.skipIf(!hasThread)("an end that finds no room is published later", async () => {
  using one = forwarding();
  one.start();
  const { words } = one.memory;
  const written = one.server.write("a".repeat(2_000_000), testMaxMs);
  await eventually(
    "a full ring",
    () => Atomics.load(words, word.delivery) === delivery.waitsForJudge,
  );
  one.client.end();
  await eventually("the client's end", () =>
    one.take().some(({ from, bytes }) => from === "client" && !bytes),
  );
  let isWritten = false;
  void written.then(() => (isWritten = true));
  await eventually("the rest", () => {
    one.take();
    return isWritten;
  });
});

test.skipIf(!hasThread)(
  "a server that reads no more: the client's writes fail, and the judge knows it",
  async () => {
    using folder = new Folder();
    using one = forwarding(openPipe, folder.at("spool"));
    one.start();
    one.fromClient.hangUp();
    const untilItFails = async (): Promise<void> => {
      for (;;) await one.client.write("anything\n");
    };
    await expect(untilItFails()).rejects.toThrow("EPIPE");
    await eventually("the cut", () => one.take().some(({ isCut }) => isCut));
  },
);

test.skipIf(!hasThread)(
  "a client that shuts its full socket down for reading: the server's writes fail",
  async () => {
    using folder = new Folder();
    using one = forwarding(openSocketPair, folder.at("spool"));
    one.fromServer.pause();
    one.start();
    const { words } = one.memory;
    const untilItFails = async (): Promise<void> => {
      for (;;) await one.server.write("a".repeat(10_000), testMaxMs);
    };
    const failure = untilItFails().catch((error: unknown) => String(error));
    await eventually(
      "a full socket",
      () => Atomics.load(words, word.delivery) === delivery.waitsForClient,
    );
    // Without an event for the writer: its buffer is full.
    const { shutdown } = dlopen("libc.so.6", {
      shutdown: { args: ["i32", "i32"], returns: "i32" },
    }).symbols;
    expect(shutdown(one.toClient, shutReading)).toBe(0);
    expect(await failure).toContain("EPIPE");
    await eventually("the server's end", () => Atomics.load(words, word.serverEnded) === 1);
  },
);

test.skipIf(!hasThread)("an abandoned thread moves nothing", async () => {
  using one = forwarding();
  await one.client.write("early\n");
  Atomics.store(one.memory.words, word.state, threadState.abandoned);
  one.start();
  await eventually("its stop", () => one.news.includes("stopped"));
  expect([one.news, one.fromClient.length]).toEqual([["stopped"], 0]);
});
