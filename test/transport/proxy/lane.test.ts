import {
  Outbox,
  unprocessedBytesMax,
  LineScheduler,
  type LineVerdict,
} from "#transport/proxy/judge.ts";
import { describe, expect, test } from "bun:test";
import { Lane, type LaneContext } from "#transport/proxy/pump-forwarding.ts";
import { OverflowFile } from "#state/storage/scratch-paths.ts";
import * as fc from "fast-check";
import { anyCuts, bytesOf, chunksOf, textOf } from "../../support/bytes.ts";
import { FakePipe } from "../../support/fake-pipe.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import { lineOverheadBytes } from "#wire/line.ts";

const lineWith = (text: string): string => `{"method": ${text}\n`;

const manyLines = Array.from({ length: 400 }, (_, at) => lineWith(`${at}`));

function dawdle(): void {
  const until = performance.now() + 0.2;
  while (performance.now() < until);
}

function laneTo(
  pipe: FakePipe,
  judged: (text: string, hasPassed: boolean) => LineVerdict | void,
  options: {
    holds?: () => boolean;
    scheduler?: LineScheduler;
    passed?: (lines: number) => void;
    room?: () => Promise<void> | undefined;
    skip?: (bytes: number) => void;
  } = {},
): Lane {
  const judge: LaneContext["judge"] = {
    judgeLine: (_from, { bytes }, hasPassed) => judged(textOf(bytes), hasPassed) ?? true,
    holds: options.holds ?? (() => false),
    countPassed: options.passed ?? (() => undefined),
    whenCaughtUp: options.room ?? (() => undefined),
    skip: options.skip ?? (() => undefined),
  };
  return new Lane({
    from: "server",
    outbox: new Outbox(pipe),
    scheduler: options.scheduler ?? new LineScheduler(),
    judge,
    overflow: new OverflowFile(() => "/nowhere/to/keep/it"),
  });
}

describe("an open lane", () => {
  test("forwards a chunk before it looks at it", () => {
    const pipe = new FakePipe();
    const seen: string[] = [];
    const text = `${lineWith("a")}${lineWith("b")}c`;
    void laneTo(pipe, () => void seen.push(pipe.text)).push(bytesOf(text));
    expect(seen).toEqual([text, text]);
  });

  test("looks at whole lines, and at the last one at the end, once", () => {
    const seen: string[] = [];
    const lane = laneTo(new FakePipe(), (text) => void seen.push(text));
    for (const chunk of ["a\nb", "c\n", "torn"]) void lane.push(bytesOf(chunk));
    void lane.end();
    void lane.end();
    expect(seen).toEqual(["a\n", "bc\n", "torn"]);
  });

  test("looks at every line of a burst, in order", async () => {
    const seen: string[] = [];
    const scheduler = new LineScheduler();
    const lane = laneTo(
      new FakePipe(),
      (text) => {
        dawdle();
        seen.push(text);
      },
      { scheduler },
    );
    await lane.push(bytesOf(`${manyLines.join("")}torn`));
    await lane.end();
    await scheduler.whenIdle();
    expect(seen).toEqual([...manyLines, "torn"]);
  });

  test("lets a burst pass unseen, and a flood wait until it was looked at", async () => {
    const scheduler = new LineScheduler();
    let seen = 0;
    const lane = laneTo(new FakePipe(), () => void (seen += 1), { scheduler });
    const burst = bytesOf(lineWith("x").repeat(1_000));
    expect(lane.push(burst)).toBeUndefined();
    expect(seen).toBe(0);
    let pushes = 1;
    let flooded: Promise<void> | undefined;
    while (!flooded) {
      flooded = lane.push(burst);
      pushes += 1;
    }
    // Short lines take more memory than their bytes.
    const memory = burst.length + 1_000 * lineOverheadBytes;
    expect(pushes).toBe(Math.floor(unprocessedBytesMax / memory) + 1);
    await flooded;
    expect(scheduler.whenCaughtUp("server")).toBeUndefined();
    await scheduler.whenIdle();
    expect(seen).toBe(pushes * 1_000);
  });

  test("forwards at once and looks at the line when there is room to count it", async () => {
    const pipe = new FakePipe();
    const scheduler = new LineScheduler();
    const seen: string[] = [];
    let room: PromiseWithResolvers<void> | undefined = Promise.withResolvers();
    const lane = laneTo(pipe, (text) => void seen.push(text), {
      scheduler,
      room: () => room?.promise,
    });
    expect(lane.push(bytesOf("a\n"))).toBeUndefined();
    expect([pipe.text, seen]).toEqual(["a\n", []]);
    const { resolve } = room;
    room = undefined;
    resolve();
    await scheduler.whenIdle();
    expect(seen).toEqual(["a\n"]);
  });

  test("a line that waited is judged with the time of its arrival", async () => {
    const scheduler = new LineScheduler();
    let room: PromiseWithResolvers<void> | undefined = Promise.withResolvers();
    const times: (number | undefined)[] = [];
    const lane = new Lane({
      from: "server",
      outbox: new Outbox(new FakePipe()),
      scheduler,
      judge: {
        judgeLine: (_from, _line, _hasPassed, at) => times.push(at?.monoMs) > 0,
        holds: () => false,
        countPassed: () => undefined,
        skip: () => undefined,
        whenCaughtUp: () => room?.promise,
      },
      overflow: new OverflowFile(() => "/nowhere/to/keep/it"),
    });
    void lane.push(bytesOf("a\n"));
    const afterMs = performance.now();
    dawdle();
    const { resolve } = room;
    room = undefined;
    resolve();
    await scheduler.whenIdle();
    expect(times).toEqual([expect.any(Number)]);
    expect(times[0]).toBeLessThanOrEqual(afterMs);
  });

  test("waits once whole lines of that many bytes wait for room, however small the last chunk of each", async () => {
    const scheduler = new LineScheduler();
    let room: PromiseWithResolvers<void> | undefined = Promise.withResolvers();
    const lane = laneTo(new FakePipe(), () => undefined, { scheduler, room: () => room?.promise });
    const half = bytesOf("x".repeat(unprocessedBytesMax / 2));
    for (let line = 0; line < 2; line += 1) {
      expect(lane.push(half)).toBeUndefined();
      const flooded = lane.push(bytesOf("\n"));
      expect(flooded === undefined).toBe(line === 0);
    }
    const { resolve } = room;
    room = undefined;
    resolve();
    await scheduler.whenCaughtUp("server");
    expect(scheduler.whenCaughtUp("server")).toBeUndefined();
  });

  test("gives the back-pressure of its pipe", async () => {
    const pipe = new FakePipe();
    const slow = Promise.withResolvers<void>();
    pipe.taking = slow.promise;
    const taken = laneTo(pipe, () => undefined).push(bytesOf("a\n"));
    expect(taken).toBeInstanceOf(Promise);
    slow.resolve();
    await taken;
  });

  test("looks at no answer before the question it answers, however long the burst", async () => {
    const seen: string[] = [];
    const scheduler = new LineScheduler();
    const lane = (side: string): Lane =>
      laneTo(
        new FakePipe(),
        (text) => {
          dawdle();
          seen.push(`${side} ${text}`);
        },
        { scheduler },
      );
    const pushed = lane("client").push(bytesOf(manyLines.join("")));
    await Promise.race([pushed, Bun.sleep(1)]);
    await Promise.all([pushed, lane("server").push(bytesOf(lineWith("399")))]);
    await scheduler.whenIdle();
    const last = lineWith("399");
    expect(seen.indexOf(`server ${last}`)).toBeGreaterThan(seen.indexOf(`client ${last}`));
  });
});

function replaceLine(text: string): LineVerdict {
  return !text.endsWith("5\n") || [bytesOf("a\n"), bytesOf("b\n")];
}

function wanted(lines: readonly string[]): string {
  return lines.map((line) => (line.endsWith("5\n") ? "a\nb\n" : line)).join("");
}

describe("lines that hold no message", () => {
  test("come as one, a flood of them in few steps, and the bytes stay", async () => {
    const pipe = new FakePipe();
    const seen: string[] = [];
    const lane = laneTo(pipe, (text) => void seen.push(text), { holds: () => true });
    await lane.push(bytesOf(`part\n\n{\n${lineWith("one")}\n\n\ntorn`));
    await lane.push(bytesOf(" line\nb\nc\n"));
    expect(seen).toEqual(["part\n\n{\n", lineWith("one"), "\n\n\n", "torn line\n", "b\nc\n"]);
    expect(pipe.text).toBe(seen.join(""));
  });
});

test.each([
  [false, 4],
  [true, undefined],
])(
  "a line that never ends is skipped once it has passed: held %p, %p bytes",
  (isHolding, bytes) => {
    let skipped: number | undefined;
    const skip = (count: number): void => void (skipped = count);
    const lane = laneTo(new FakePipe(), () => true, { holds: () => isHolding, skip });
    void lane.push(bytesOf(`${lineWith("one")}torn`));
    lane.skipUnfinished();
    lane.skipUnfinished();
    expect(skipped).toEqual(bytes);
  },
);

describe("a lane that holds", () => {
  test("looks at a line before it passes", () => {
    const pipe = new FakePipe();
    const seen: string[] = [];
    const lane = laneTo(pipe, () => void seen.push(pipe.text), { holds: () => true });
    void lane.push(bytesOf("a\nb"));
    expect([seen, pipe.text]).toEqual([[""], "a\n"]);
    void lane.push(bytesOf("\n"));
    expect(pipe.text).toBe("a\nb\n");
  });

  test("keeps what must not pass, and only that", async () => {
    const pipe = new FakePipe();
    const lane = laneTo(pipe, (text) => !text.startsWith("no"), { holds: () => true });
    await lane.push(bytesOf("yes, {methods\nno, {methods\r\nyes, {methods\nno"));
    await lane.end();
    expect(pipe.text).toBe("yes, {methods\nyes, {methods\n");
  });

  test("of a burst, the same", async () => {
    const pipe = new FakePipe();
    const lane = laneTo(pipe, (text) => !text.endsWith("7\n"), { holds: () => true });
    await lane.push(bytesOf(manyLines.join("")));
    expect(pipe.text).toBe(manyLines.filter((line) => !line.endsWith("7\n")).join(""));
  });

  test("that lets everything pass is as if it were open, whatever the chunks and whenever it changes over", async () => {
    const text = fc
      .array(fc.constantFrom("a", "\n", "\r\n", "é", "{}"), { maxLength: 60 })
      .map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(text, anyCuts, fc.array(fc.boolean()), async (input, cuts, scheduler) => {
        const pipe = new FakePipe();
        const seen: string[] = [];
        let pushed = 0;
        const holds = (): boolean => scheduler[pushed++ % Math.max(1, scheduler.length)] ?? false;
        const lane = laneTo(pipe, (line) => void seen.push(line), { holds });
        for (const chunk of chunksOf(bytesOf(input), cuts)) await lane.push(chunk);
        await lane.end();
        expect([pipe.text, seen.join("")]).toEqual([input, input]);
      }),
    );
  });

  test("puts what goes instead of a line where that line was", async () => {
    for (const lines of [manyLines.slice(0, 9), manyLines]) {
      const pipe = new FakePipe();
      await laneTo(pipe, replaceLine, { holds: () => true }).push(bytesOf(lines.join("")));
      expect(pipe.text).toBe(wanted(lines));
    }
  });

  test("leaves what can wait until its lines have gone", async () => {
    for (const lines of [[lineWith("a"), lineWith("b")], manyLines]) {
      const pipe = new FakePipe();
      const heard: [number, string][] = [];
      const passed = (count: number): void => void heard.push([count, pipe.text]);
      await laneTo(pipe, () => true, { holds: () => true, passed }).push(bytesOf(lines.join("")));
      expect(heard.reduce((sum, [count]) => sum + count, 0)).toBe(lines.length);
      expect(heard.at(-1)?.[1]).toBe(lines.join(""));
      expect(heard[0]?.[1].length).toBeGreaterThan(0);
    }
  });

  test("says which lines have passed", () => {
    const seen: unknown[] = [];
    let isHolding = false;
    const lane = laneTo(new FakePipe(), (text, hasPassed) => void seen.push([text, hasPassed]), {
      holds: () => isHolding,
    });
    void lane.push(bytesOf("open\n"));
    isHolding = true;
    void lane.push(bytesOf("held\n"));
    expect(seen).toEqual([
      ["open\n", true],
      ["held\n", false],
    ]);
  });

  test("changes over only between two lines", async () => {
    const pipe = new FakePipe();
    let isHolding = false;
    const lane = laneTo(pipe, () => false, { holds: () => isHolding });
    void lane.push(bytesOf("an "));
    isHolding = true;
    await lane.push(bytesOf("answer\n"));
    await lane.push(bytesOf("next\n"));
    expect(pipe.text).toBe("an answer\n");
    void lane.push(bytesOf("one "));
    isHolding = false;
    await lane.push(bytesOf("more\n"));
    await lane.push(bytesOf("last\n"));
    expect(pipe.text).toBe("an answer\nlast\n");
  });

  const long = `${"x".repeat(lineObservedBytesMax + 1_000)}\n`;
  test("a line too long for memory passes whole, whatever the chunks", async () => {
    const pipe = new FakePipe();
    const lane = laneTo(pipe, () => undefined, { holds: () => true });
    await lane.push(bytesOf(long.slice(0, lineObservedBytesMax)));
    await lane.push(bytesOf(long.slice(lineObservedBytesMax)));
    expect(pipe.text === long).toBe(true);
  });
});
