import { expect, test } from "bun:test";
import { stderrFlushMaxMs, stderrQueueBytesMax, TextQueue } from "#kit/os/standard-streams.ts";
import { eventually } from "../../support/wait.ts";

function slowReader(room: number) {
  const reader = { room, text: "", attempts: 0, error: undefined as Error | undefined };
  const queue = new TextQueue(() => (bytes) => {
    reader.attempts += 1;
    if (reader.error) throw reader.error;
    const taken = bytes.subarray(0, reader.room);
    reader.room -= taken.length;
    reader.text += new TextDecoder().decode(taken);
    if (taken.length === 0 && reader.attempts % 2 === 0) {
      throw Object.assign(new Error("full"), { code: "EAGAIN" });
    }
    return taken.length;
  });
  return { reader, queue };
}

test("TextQueue: writes at once what the reader takes, and the rest in order when it has room", async () => {
  const { reader, queue } = slowReader(5);
  const written: boolean[] = [];
  for (const text of ["one\n", "two\n", "three\n"]) {
    queue.write(text, (isWritten) => void written.push(isWritten));
  }
  expect([reader.text, written]).toEqual(["one\nt", [true]]);
  reader.room = 100;
  await eventually("the rest", () => written.length === 3);
  expect([reader.text, written]).toEqual(["one\ntwo\nthree\n", [true, true, true]]);
  queue.write("four\n");
  expect(reader.text).toEndWith("three\nfour\n");
});

test("TextQueue: one text of any length waits, and others up to the limit", () => {
  const { queue } = slowReader(0);
  const dropped: string[] = [];
  const write = (name: string, bytes: number): void =>
    queue.write("x".repeat(bytes), (isWritten) => void (isWritten || dropped.push(name)));
  write("first", stderrQueueBytesMax - 10);
  write("fits", 10);
  write("one too many", 1);
  expect(dropped).toEqual(["one too many"]);
  const { reader, queue: full } = slowReader(0);
  full.write("x".repeat(2 * stderrQueueBytesMax));
  reader.room = Infinity;
  full.flush();
  expect(reader.text).toHaveLength(2 * stderrQueueBytesMax);
});

test("TextQueue: a reader that takes nothing is tried again seldom, and waited for once at the end", async () => {
  const { reader, queue } = slowReader(0);
  queue.write("text");
  await Bun.sleep(200);
  expect(reader.attempts).toBeLessThan(20);
  const started = performance.now();
  queue.flush();
  expect(performance.now() - started).toBeGreaterThanOrEqual(stderrFlushMaxMs);
  const { attempts } = reader;
  queue.flush();
  expect(reader.attempts).toBe(attempts + 1);
});

test("TextQueue: a text that cannot be written is lost, and nothing else", () => {
  const { reader, queue } = slowReader(100);
  const written: boolean[] = [];
  const done = (isWritten: boolean): void => void written.push(isWritten);
  reader.error = Object.assign(new Error("no reader"), { code: "EPIPE" });
  queue.write("lost", done);
  reader.error = undefined;
  queue.write("kept", done);
  expect([reader.text, written]).toEqual(["kept", [false, true]]);
});
