import { expect, test } from "bun:test";
import { Direction } from "#transport/forwarder/thread.ts";
import { pollEvent, Port } from "#transport/forwarder/publisher.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { Folder } from "../../support/folder.ts";
import { hasThread, publishing, put } from "../../support/forwarder.ts";

const { readable, writable, over } = pollEvent;

const acceptAll = (size: number): number => size;

function fakeDirection(isFromClient: boolean, path: string) {
  const { publisher, reader } = publishing(path);
  const arrivals: (Uint8Array | 0 | -1)[] = [];
  const written: string[] = [];
  const closed: number[] = [];
  let taken = acceptAll;
  const c = {
    read: (_fd: number, address: number) => {
      const next = arrivals.shift() ?? -1;
      if (typeof next === "number") return next;
      put(next, address);
      return next.length;
    },
    write: (_fd: number, address: number, size: number) => {
      const count = taken(size);
      const { toArrayBuffer }: typeof import("bun:ffi") = require("bun:ffi");
      if (count > 0) written.push(textOf(new Uint8Array(toArrayBuffer(address, 0, count)).slice()));
      return count;
    },
    recv: () => -1,
    send: () => -1,
    close: (fd: number) => closed.push(fd),
  };
  const port = (fd: number): Port => new Port(c, { fd, ownFd: fd + 100, isSocket: false });
  const direction = new Direction({ isFromClient, input: port(1), output: port(2), publisher });
  return {
    direction,
    arrivals,
    written,
    closed,
    takes: (rule: (size: number) => number) => (taken = rule),
    published: () => {
      const passed = reader.next();
      return passed && (passed.bytes ? textOf(passed.bytes) : `end${passed.isCut ? ", cut" : ""}`);
    },
  };
}

for (const isFromClient of [true, false]) {
  const side = isFromClient ? "client" : "server";
  test.skipIf(!hasThread)(
    `${side}: what is not taken at once is written later, and nothing is read meanwhile`,
    () => {
      using folder = new Folder();
      const { direction, arrivals, written, takes, published } = fakeDirection(
        isFromClient,
        folder.at("s"),
      );
      arrivals.push(bytesOf("one long line\n"));
      takes(() => 4);
      direction.move(readable, 0);
      expect([direction.hasUnsent, direction.wantsBytes, published()]).toEqual([
        true,
        false,
        "one long line\n",
      ]);
      direction.flush(writable);
      takes((size) => size);
      direction.flush(writable);
      expect([direction.hasUnsent, direction.wantsBytes]).toEqual([false, true]);
      expect(written.join("|")).toBe("one |long| line\n");
    },
  );

  test.skipIf(!hasThread)(
    `${side}: an end is published once, and closes the output after the last byte`,
    () => {
      using folder = new Folder();
      const { direction, arrivals, closed, published } = fakeDirection(
        isFromClient,
        folder.at("s"),
      );
      arrivals.push(bytesOf("unfinished"), 0);
      direction.move(readable, 0);
      expect(direction.endWhenPublished(0)).toBe(false);
      direction.move(readable, 0);
      expect([direction.isReading, direction.isWaitingToEnd, closed]).toEqual([false, true, []]);
      expect([
        direction.endWhenPublished(0),
        direction.endWhenPublished(0),
        direction.isOpen,
      ]).toEqual([true, false, false]);
      expect(closed).toEqual([102, 2]);
      expect([published(), published(), published()]).toEqual(["unfinished", "end", undefined]);
    },
  );

  test.skipIf(!hasThread)(
    `${side}: a reader that is gone ends the direction, and its writer gets an error`,
    () => {
      using folder = new Folder();
      const { direction, arrivals, closed, takes, published } = fakeDirection(
        isFromClient,
        folder.at("s"),
      );
      arrivals.push(bytesOf("never read\n"));
      takes(() => -1);
      direction.move(readable, 0);
      expect([direction.hasUnsent, direction.isReading]).toEqual([true, true]);
      direction.flush(writable | over);
      expect([direction.hasUnsent, direction.isReading]).toEqual([false, false]);
      direction.endWhenPublished(0);
      expect(closed).toEqual([101, 1, 102, 2]);
      // The judge must learn of the client's end; the server's follows from its exit.
      expect([published(), published()]).toEqual([
        "never read\n",
        isFromClient ? "end, cut" : undefined,
      ]);
    },
  );
}

test.skipIf(!hasThread)(
  "a pipe that another writer keeps full is not broken, however often it takes nothing",
  () => {
    using folder = new Folder();
    const { direction, arrivals, takes } = fakeDirection(true, folder.at("s"));
    arrivals.push(bytesOf("x\n"));
    takes(() => -1);
    direction.move(readable, 0);
    for (let left = 1_000; left > 0; left -= 1) {
      direction.flush(writable);
      direction.probe();
    }
    takes((size) => size);
    direction.flush(writable);
    expect([direction.hasUnsent, direction.isReading]).toEqual([false, true]);
  },
);

test.skipIf(!hasThread)("no bytes now are no end, unless the writer is gone", () => {
  using folder = new Folder();
  const { direction, arrivals } = fakeDirection(true, folder.at("s"));
  arrivals.push(-1, -1);
  direction.move(readable, 0);
  expect(direction.isReading).toBe(true);
  direction.move(over, 0);
  expect(direction.isReading).toBe(false);
});
