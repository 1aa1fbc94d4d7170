import { expect, test } from "bun:test";
import { array, assert, boolean, constant, integer, oneof, property, record } from "fast-check";
import {
  recordKind,
  wordIndex,
  ringBytes,
  spoolBytes,
} from "#transport/forwarder/shared-memory.ts";
import { loadC } from "#kit/os/c-library.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { Folder } from "../../support/folder.ts";
import { hasThread, publishing } from "../../support/forwarder.ts";
import { forwardedReadBytesMax } from "#kit/os/pipe.ts";

const large = forwardedReadBytesMax;

function numbered(number: number, size: number): Uint8Array {
  return new Uint8Array(Buffer.alloc(size, `${number} `));
}

test.skipIf(!hasThread)(
  "what is published is read in its order: bytes, sides, times and ends",
  () => {
    using folder = new Folder();
    const { publish, end, reader } = publishing(folder.at("spool"));
    expect(reader.next()).toBeUndefined();
    publish(true, bytesOf("ask\n"), 1.5);
    publish(false, bytesOf("answer\n"), 2.5);
    end(recordKind.clientEnd);
    end(recordKind.serverEnd);
    end(recordKind.clientCut);
    const read = Array.from({ length: 5 }, () => reader.next());
    expect(
      read.map((entry) => [
        entry?.from,
        entry?.bytes && textOf(entry.bytes),
        entry?.isCut,
        entry?.atMs,
      ]),
    ).toEqual([
      ["client", "ask\n", false, 1.5],
      ["server", "answer\n", false, 2.5],
      ["client", undefined, false, 0],
      ["server", undefined, false, 0],
      ["client", undefined, true, 0],
    ]);
    expect(reader.next()).toBeUndefined();
  },
);

test.skipIf(!hasThread)(
  "property: any sizes, read at any moments, from the ring and the file, in their order",
  () => {
    const step = record({
      size: oneof(integer({ min: 1, max: 400 }), integer({ min: 1, max: large })),
      isClient: boolean(),
      reads: oneof({ weight: 6, arbitrary: constant(0) }, integer({ min: 0, max: 5 })),
    });
    let spooled = 0;
    assert(
      property(array(step, { minLength: 60, maxLength: 200 }), (steps) => {
        using folder = new Folder();
        const { publish, reader, memory } = publishing(folder.at("spool"));
        const expected: string[] = [];
        const readOne = (): boolean => {
          const passed = reader.next();
          if (!passed) return false;
          expect(`${passed.from} ${textOf(passed.bytes ?? bytesOf(""))}`).toBe(
            expected.shift() ?? "",
          );
          return true;
        };
        for (const [index, { size, isClient, reads }] of steps.entries()) {
          const bytes = numbered(index, size);
          publish(isClient, bytes);
          expected.push(`${isClient ? "client" : "server"} ${textOf(bytes)}`);
          for (let left = reads; left > 0; left -= 1) readOne();
        }
        while (readOne());
        expect(expected).toEqual([]);
        if (Atomics.load(memory.words, wordIndex.spoolFile) > 0) spooled += 1;
      }),
      { numRuns: 40 },
    );
    expect(spooled).toBeGreaterThan(0);
  },
);

test.skipIf(!hasThread)(
  "each side has half of the room, and gets it back when its records are read",
  () => {
    using folder = new Folder();
    const { publish, publisher, reader } = publishing(folder.at("spool"));
    const bytes = numbered(7, large);
    let published = 0;
    for (; publisher.hasRoom(false); published += 1) publish(false, bytes);
    expect(published * large).toBeGreaterThan(spoolBytes / 2 - 8 * large);
    expect(published * large).toBeLessThanOrEqual(spoolBytes / 2);
    expect([true, false].map((isClient) => publisher.hasRoom(isClient))).toEqual([true, false]);
    publish(true, bytesOf("not stopped by the other side\n"));
    for (let left = published; left > 0; left -= 1)
      expect(reader.next()?.bytes?.length).toBe(large);
    expect(publisher.hasRoom(false)).toBe(true);
    expect(textOf(reader.next()?.bytes ?? bytesOf(""))).toBe("not stopped by the other side\n");
  },
);

for (const [title, pwrite] of [
  ["takes nothing", () => -1],
  ["takes a part", () => 5],
] as const) {
  test.skipIf(!hasThread)(
    `a disk that ${title}: the wire waits for the ring, and nothing is lost`,
    () => {
      using folder = new Folder();
      const { publish, publisher, reader } = publishing(folder.at("spool"), { ...loadC(), pwrite });
      const bytes = numbered(3, large);
      let published = 0;
      while (publisher.hasRoom(false)) {
        publish(false, numbered(published, large));
        published += 1;
        expect(published * bytes.length).toBeLessThanOrEqual(2 * ringBytes);
      }
      expect([publisher.canPublish(), publisher.hasRoom(true)]).toEqual([false, false]);
      for (let number = 0; number < published; number += 1) {
        // A stuck record is published as soon as there is room.
        publisher.canPublish();
        expect(reader.next()?.bytes).toEqual(numbered(number, large));
      }
      expect(reader.next()).toBeUndefined();
      expect([publisher.canPublish(), publisher.hasRoom(false)]).toEqual([true, true]);
    },
  );
}

test.skipIf(!hasThread)("a judge that takes nothing any more stops no traffic", () => {
  using folder = new Folder();
  const { publish, publisher, memory, reader } = publishing(folder.at("spool"));
  Atomics.store(memory.words, wordIndex.hasJudgeFailed, 1);
  for (let left = 2 * (spoolBytes / large); left > 0; left -= 1) {
    expect(publisher.hasRoom(false)).toBe(true);
    publish(false, numbered(1, large));
  }
  expect(reader.next()).toBeUndefined();
});

test.skipIf(!hasThread)(
  "copy: the rest of the record that was begun last, in the ring and outside",
  () => {
    using folder = new Folder();
    const { publish, publisher } = publishing(folder.at("spool"));
    const target = new Uint8Array(6);
    publish(true, bytesOf("in the ring"));
    publisher.copyUnsent(target, 5, 11);
    expect(textOf(target)).toBe("e ring");
    for (let left = ringBytes / large; left > 0; left -= 1) publish(false, numbered(1, large));
    publish(true, bytesOf("outside of it"));
    publisher.copyUnsent(target, 7, 13);
    expect(textOf(target)).toBe(" of it");
    expect(publisher.isRingHalfFull).toBe(true);
  },
);
