import { Outbox } from "#transport/proxy/judge.ts";
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { anyCuts, bytesOf, chunksOf } from "../../support/bytes.ts";
import { FakePipe } from "../../support/fake-pipe.ts";

const opened = () => {
  const pipe = new FakePipe();
  return { pipe, outbox: new Outbox(pipe) };
};

const ourLine = bytesOf("OURS\n");

describe("Outbox", () => {
  test("forwards bytes as they are", () => {
    const { pipe, outbox } = opened();
    for (const text of ["a", "b\r\n", "", "\u2028"]) void outbox.write(bytesOf(text));
    expect(pipe.text).toBe("ab\r\n\u2028");
  });

  test("says when bytes wait for the reader, and when they moved last", async () => {
    const { pipe, outbox } = opened();
    const taken = Promise.withResolvers<void>();
    pipe.taking = taken.promise;
    expect([outbox.isWaiting, outbox.lastProgressMs]).toEqual([false, -Infinity]);
    const written = outbox.write(bytesOf("a"));
    const beganMs = outbox.lastProgressMs;
    expect([outbox.isWaiting, beganMs > 0]).toEqual([true, true]);
    await Bun.sleep(2);
    taken.resolve();
    await written;
    expect([outbox.isWaiting, outbox.lastProgressMs > beganMs]).toEqual([false, true]);
  });

  test("inserts our line at once between two of theirs", () => {
    const { pipe, outbox } = opened();
    void outbox.insert(ourLine);
    void outbox.write(bytesOf("theirs\n"));
    void outbox.insert(ourLine);
    expect(pipe.text).toBe("OURS\ntheirs\nOURS\n");
  });

  test("keeps our line until theirs is complete", () => {
    const { pipe, outbox } = opened();
    void outbox.write(bytesOf("the"));
    void outbox.insert(ourLine);
    void outbox.write(bytesOf("ir"));
    expect(pipe.text).toBe("their");
    void outbox.write(bytesOf("s\nnext"));
    expect(pipe.text).toBe("theirs\nOURS\nnext");
  });

  test("ends an unfinished last line before our own", async () => {
    const { pipe, outbox } = opened();
    void outbox.write(bytesOf("torn"));
    void outbox.insert(ourLine);
    await outbox.end();
    expect([pipe.text, pipe.isEnded]).toEqual(["torn\nOURS\n", true]);
  });

  test("adds no newline of its own to a stream without one", async () => {
    const { pipe, outbox } = opened();
    void outbox.write(bytesOf("torn"));
    await outbox.end();
    expect(pipe.text).toBe("torn");
  });

  const theirs = fc
    .array(fc.constantFrom("a", "\r", "\n", "é", "\u2028", "OUR"), { maxLength: 60 })
    .map((pieces) => bytesOf(pieces.join("")));

  test("our lines are never inside theirs, none is lost, and theirs are unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(theirs, anyCuts, fc.array(fc.boolean()), async (bytes, cuts, inserts) => {
        const { pipe, outbox } = opened();
        let inserted = 0;
        for (const [at, chunk] of chunksOf(bytes, cuts).entries()) {
          void outbox.write(chunk);
          if (inserts[at] !== true) continue;
          void outbox.insert(bytesOf(`OURS ${inserted}\n`));
          inserted += 1;
        }
        await outbox.end();
        const mine = [...pipe.text.matchAll(/^OURS (\d+)\n/gm)].map(([, number]) => Number(number));
        expect(mine).toEqual([...Array(inserted).keys()]);
        const left = pipe.text.replaceAll(/^OURS \d+\n/gm, "");
        const output = new TextDecoder().decode(bytes);
        expect([output, `${output}\n`]).toContain(left);
      }),
    );
  });

  test("returns no promise when the kernel took all bytes, otherwise the back-pressure", async () => {
    const { pipe, outbox } = opened();
    expect(outbox.write(bytesOf("a"))).toBeUndefined();
    const slow = Promise.withResolvers<void>();
    pipe.taking = slow.promise;
    let isTaken = false;
    const taken = outbox.write(bytesOf("b"))?.then(() => (isTaken = true));
    await Promise.resolve();
    expect(isTaken).toBe(false);
    slow.resolve();
    await taken;
    expect(isTaken).toBe(true);
  });

  for (const broken of ["at once", "later"] as const) {
    test(`a pipe that loses its reader, reported ${broken}, is not an error`, async () => {
      const { pipe, outbox } = opened();
      void outbox.write(bytesOf("a"));
      pipe.broken = broken;
      await outbox.write(bytesOf("b"));
      expect(outbox.isBroken).toBe(true);
      const { length } = pipe.written;
      await outbox.write(bytesOf("c"));
      await outbox.insert(ourLine);
      await outbox.end();
      expect(pipe.written.length).toBe(length);
    });
  }
});
