import { expect, setDefaultTimeout, test } from "bun:test";
import { PublishedReader } from "#transport/forwarder/published-reader.ts";
import { makeSharedMemory, wordIndex } from "#transport/forwarder/shared-memory.ts";
import { Folder } from "../../support/folder.ts";
import { hasThread } from "../../support/forwarder.ts";
import { isFilledPassage, pickPassageSize } from "../../support/ring-passages.ts";
import { allowed } from "../../support/measure.ts";
import { eventually } from "../../support/wait.ts";

// `STRESS_RECORDS=10000000` runs the long form.
const records = Number(process.env["STRESS_RECORDS"] ?? 120_000);

setDefaultTimeout(allowed(60_000) + records / 2);

const paces = [
  ["a quick judge", () => 0],
  ["a judge with pauses", (number: number) => (number % 5_000 === 0 ? 3 : 0)],
] as const;

const stage = 20_000;

for (const [seed, [title, pauseMs]] of paces.entries()) {
  test.skipIf(!hasThread)(
    `two threads, ${title}: every record once, in order, byte by byte`,
    async () => {
      using writer = new Writer(seed, records);
      writer.permit(records);
      for (let number = 0; number < records;) {
        const passed = writer.reader.next();
        if (!passed) {
          writer.reader.truncateSpool(0);
          await Bun.sleep(0);
          continue;
        }
        check(passed, seed, number);
        number += 1;
        const pause = pauseMs(number);
        if (pause > 0) await Bun.sleep(pause);
      }
      expect(writer.reader.next()).toBeUndefined();
    },
  );
}

test.skipIf(!hasThread)(
  "two threads, a slow judge: every record once, in order, byte by byte, and each file is freed",
  async () => {
    const seed = 2;
    using writer = new Writer(seed, records);
    const { reader } = writer;
    for (let number = 0; number < records;) {
      const end = Math.min(number + stage, records);
      writer.permit(end);
      await writer.isAtFile();
      let isFreed = false;
      while (number < end) {
        const passed = reader.next();
        if (!passed) {
          if (reader.truncateSpool(0)) isFreed = true;
          await Bun.sleep(0);
          continue;
        }
        check(passed, seed, number);
        number += 1;
      }
      await eventually(
        "the file is freed",
        () => isFreed || reader.truncateSpool(0),
        allowed(20_000),
      );
    }
    expect(reader.next()).toBeUndefined();
  },
);

test.skipIf(!hasThread)("a writer that is ended at any moment leaves whole records", async () => {
  for (let seed = 10; seed < 20; seed += 1) {
    using writer = new Writer(seed, 1e9);
    writer.permit(1e9);
    await writer.isAtFile();
    await Bun.sleep(seed % 5);
    await writer.end();
    let number = 0;
    for (let passed = writer.reader.next(); passed; passed = writer.reader.next()) {
      check(passed, seed, number);
      number += 1;
    }
    expect(number).toBeGreaterThan(0);
  }
});

class Writer {
  readonly #folder = new Folder();
  readonly #memory = makeSharedMemory();
  readonly #permitted = new Int32Array(new SharedArrayBuffer(4));
  readonly #worker = new Worker(new URL("../../fixtures/publishing-thread.ts", import.meta.url));
  readonly reader = new PublishedReader(this.#memory);

  constructor(seed: number, recordCount: number) {
    const { buffer } = this.#memory;
    const path = this.#folder.at("spool");
    const order = { buffer, permitted: this.#permitted, path, seed, records: recordCount };
    this.#worker.postMessage(order, []);
  }

  permit(count: number): void {
    Atomics.store(this.#permitted, 0, count);
  }

  async isAtFile(): Promise<void> {
    const at = (position: number) => Atomics.load(this.#memory.words, position);
    const isUnread = () => at(wordIndex.spoolHead) !== at(wordIndex.spoolTail);
    await eventually("the writer is at the file", isUnread, allowed(20_000));
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => {
      this.#worker.addEventListener("close", resolve);
    });
    this.#worker.terminate();
    await ended;
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
    this.#folder[Symbol.dispose]();
  }
}

// Calling `expect` for each of ten million would be too slow.
function check(
  passed: NonNullable<ReturnType<PublishedReader["next"]>>,
  seed: number,
  number: number,
): void {
  const side = (number + seed) % 3 === 0 ? "client" : "server";
  const { from, bytes, atMs } = passed;
  const isRight =
    from === side &&
    atMs === number / 4 &&
    bytes &&
    isFilledPassage(bytes, number, pickPassageSize(seed, number));
  if (isRight !== true)
    throw new Error(`record ${number} of stream ${seed} is not as it was published`);
}
