import { describe, expect, test } from "bun:test";
import { openLane } from "#shell/lane.ts";
import { Outbox } from "#shell/outbox.ts";
import { Turns } from "#shell/turns.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { FakePipe } from "../support/fake-pipe.ts";

const manyLines = Array.from({ length: 400 }, (_, at) => `line ${at}\n`);

/** Takes a while, as counting does on a slow machine. */
function dawdle(): void {
  const until = performance.now() + 0.2;
  while (performance.now() < until);
}

describe("openLane", () => {
  test("forwards a chunk before it looks at it", () => {
    const pipe = new FakePipe();
    const seen: string[] = [];
    const lane = openLane(new Outbox(pipe), new Turns(), () => seen.push(pipe.text));
    lane.push(bytesOf("a\nb\nc"));
    expect(seen).toEqual(["a\nb\nc", "a\nb\nc"]);
  });

  test("observes whole lines, and the last one at the end", () => {
    const seen: string[] = [];
    const lane = openLane(new Outbox(new FakePipe()), new Turns(), ({ bytes }) =>
      seen.push(textOf(bytes)),
    );
    for (const chunk of ["a\nb", "c\n", "torn"]) lane.push(bytesOf(chunk));
    lane.end();
    lane.end();
    expect(seen).toEqual(["a\n", "bc\n", "torn"]);
  });

  test("observes every line of a burst, in order", async () => {
    const seen: string[] = [];
    const lane = openLane(new Outbox(new FakePipe()), new Turns(), ({ bytes }) => {
      dawdle();
      seen.push(textOf(bytes));
    });
    await lane.push(bytesOf(manyLines.join("")));
    expect(seen).toEqual(manyLines);
  });

  test("gives the back-pressure of its pipe", async () => {
    const pipe = new FakePipe();
    const slow = Promise.withResolvers<void>();
    pipe.taking = slow.promise;
    const taken = openLane(new Outbox(pipe), new Turns(), () => undefined).push(bytesOf("a\n"));
    expect(taken).toBeInstanceOf(Promise);
    slow.resolve();
    await taken;
  });

  test("an answer is not observed before the question it answers, however long the burst", async () => {
    const seen: string[] = [];
    const turns = new Turns();
    const lane = (side: string) =>
      openLane(new Outbox(new FakePipe()), turns, ({ bytes }) => {
        dawdle();
        seen.push(`${side} ${textOf(bytes)}`);
      });
    const asked = lane("client").push(bytesOf(manyLines.join("")));
    // The questions are on the wire: the server may answer any of them at any time now.
    await Promise.race([asked, Bun.sleep(1)]);
    await Promise.all([asked, lane("server").push(bytesOf("line 399\n"))]);
    expect(seen.indexOf("server line 399\n")).toBeGreaterThan(seen.indexOf("client line 399\n"));
  });
});
