import { expect, setDefaultTimeout, test } from "bun:test";
import { dlopen } from "bun:ffi";
import { closeSync } from "node:fs";
import {
  readMonotonicMs,
  deliveryState,
  makeSharedMemory,
  threadState,
  wordIndex,
} from "#transport/forwarder/shared-memory.ts";
import { type PublishedRecord, PublishedReader } from "#transport/forwarder/published-reader.ts";
import type { PortDescriptors } from "#transport/forwarder/publisher.ts";
import { openPipe, openSocketPair, type Pipe } from "#kit/os/pipe.ts";
import { loadC } from "#kit/os/c-library.ts";
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
  const memory = makeSharedMemory();
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
        clockOffsetMs: performance.now() - readMonotonicMs(loadC()),
      },
      [],
    );
  const c = loadC();
  for (const { readEnd, writeEnd } of [fromClient, toServer, fromServer, toClient]) {
    for (const fd of [readEnd, writeEnd]) c.fcntl(fd, setFlags, nonBlocking);
  }
  const reader = new PublishedReader(memory);
  const passed: PublishedRecord[] = [];
  const take = (): PublishedRecord[] => {
    for (let forwarder = reader.next(); forwarder; forwarder = reader.next())
      passed.push(forwarder);
    return passed;
  };
  return {
    memory,
    news,
    start,
    take,
    text: (side: PublishedRecord["from"]) =>
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

function end(fd: number, { isSocket }: Pipe): PortDescriptors {
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
      using forwarder = forwarding(open, folder.at("spool"));
      forwarder.start();
      const [question, answer] = ["q".repeat(3_000_000), "a".repeat(3_000_000)];
      const written = [forwarder.client.write(question), forwarder.server.write(answer)];
      await eventually("both", () => {
        forwarder.take();
        return (
          forwarder.fromClient.length === question.length &&
          forwarder.fromServer.length === answer.length
        );
      });
      await Promise.all(written);
      expect([
        forwarder.fromClient.text === question,
        forwarder.fromServer.text === answer,
      ]).toEqual([true, true]);
      expect([forwarder.text("client") === question, forwarder.text("server") === answer]).toEqual([
        true,
        true,
      ]);
      forwarder.client.end();
      await eventually("the client's end", () => forwarder.news.includes("ended"));
      expect(Atomics.load(forwarder.memory.words, wordIndex.clientEnded)).toBe(1);
      expect(Atomics.load(forwarder.memory.words, wordIndex.serverEnded)).toBe(0);
      await eventually("the end at the server", () => forwarder.fromClient.ended);
      await forwarder.server.write("last");
      forwarder.server.end();
      await eventually(
        "the server's end",
        () => Atomics.load(forwarder.memory.words, wordIndex.serverEnded) === 1,
      );
      expect(
        forwarder
          .take()
          .filter(({ bytes }) => !bytes)
          .map(({ from }) => from),
      ).toEqual(["client", "server"]);
      expect(forwarder.news).not.toContain("stopped");
      forwarder.stop();
      await eventually("its stop", () => forwarder.news.includes("stopped"));
    },
  );
}

test.skipIf(!hasThread)(
  "a client that does not read: its bytes wait, the other direction passes, nothing is lost",
  async () => {
    using folder = new Folder();
    using forwarder = forwarding(openPipe, folder.at("spool"));
    forwarder.fromServer.pause();
    forwarder.start();
    const answer = "a".repeat(1_000_000);
    const written = forwarder.server.write(answer, testMaxMs);
    const state = (): number => Atomics.load(forwarder.memory.words, wordIndex.delivery);
    await eventually("a full pipe", () => state() === deliveryState.waitsForClient);
    await forwarder.client.write("passes");
    await eventually("the question", () => forwarder.fromClient.text === "passes");
    forwarder.fromServer.resume();
    await written;
    await eventually("the answer", () => forwarder.fromServer.text === answer);
    await eventually("a quiet wire", () => state() === deliveryState.idle);
  },
);

test.skipIf(!hasThread)(
  "a judge that takes nothing, and no disk: the wire waits for it, and nothing is lost",
  async () => {
    using forwarder = forwarding();
    forwarder.start();
    const answer = "a".repeat(5_000_000);
    const written = forwarder.server.write(answer, testMaxMs);
    const { words } = forwarder.memory;
    await eventually(
      "a full ring",
      () => Atomics.load(words, wordIndex.delivery) === deliveryState.waitsForJudge,
    );
    expect(forwarder.fromServer.length).toBeLessThan(answer.length);
    await eventually("the answer", () => {
      forwarder.take();
      return forwarder.fromServer.length === answer.length;
    });
    await written;
    expect(forwarder.text("server") === answer).toBe(true);
  },
);

test.skipIf(!hasThread)("an end that finds no room is published later", async () => {
  using forwarder = forwarding();
  forwarder.start();
  const { words } = forwarder.memory;
  const written = forwarder.server.write("a".repeat(2_000_000), testMaxMs);
  await eventually(
    "a full ring",
    () => Atomics.load(words, wordIndex.delivery) === deliveryState.waitsForJudge,
  );
  forwarder.client.end();
  await eventually("the client's end", () =>
    forwarder.take().some(({ from, bytes }) => from === "client" && !bytes),
  );
  let isWritten = false;
  void written.then(() => (isWritten = true));
  await eventually("the rest", () => {
    forwarder.take();
    return isWritten;
  });
});

test.skipIf(!hasThread)(
  "a server that reads no more: the client's writes fail, and the judge knows it",
  async () => {
    using folder = new Folder();
    using forwarder = forwarding(openPipe, folder.at("spool"));
    forwarder.start();
    forwarder.fromClient.hangUp();
    const untilItFails = async (): Promise<void> => {
      for (;;) await forwarder.client.write("anything\n");
    };
    await expect(untilItFails()).rejects.toThrow("EPIPE");
    await eventually("the cut", () => forwarder.take().some(({ isCut }) => isCut));
  },
);

test.skipIf(!hasThread)(
  "a client that shuts its full socket down for reading: the server's writes fail",
  async () => {
    using folder = new Folder();
    using forwarder = forwarding(openSocketPair, folder.at("spool"));
    forwarder.fromServer.pause();
    forwarder.start();
    const { words } = forwarder.memory;
    const untilItFails = async (): Promise<void> => {
      for (;;) await forwarder.server.write("a".repeat(10_000), testMaxMs);
    };
    const failure = untilItFails().catch((error: unknown) => String(error));
    await eventually(
      "a full socket",
      () => Atomics.load(words, wordIndex.delivery) === deliveryState.waitsForClient,
    );
    // The writer gets no event: its buffer is full.
    const { shutdown } = dlopen("libc.so.6", {
      shutdown: { args: ["i32", "i32"], returns: "i32" },
    }).symbols;
    expect(shutdown(forwarder.toClient, shutReading)).toBe(0);
    expect(await failure).toContain("EPIPE");
    await eventually("the server's end", () => Atomics.load(words, wordIndex.serverEnded) === 1);
  },
);

test.skipIf(!hasThread)("an abandoned thread moves nothing", async () => {
  using forwarder = forwarding();
  await forwarder.client.write("early\n");
  Atomics.store(forwarder.memory.words, wordIndex.state, threadState.abandoned);
  forwarder.start();
  await eventually("its stop", () => forwarder.news.includes("stopped"));
  expect([forwarder.news, forwarder.fromClient.length]).toEqual([["stopped"], 0]);
});
