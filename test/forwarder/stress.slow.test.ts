import { expect, setDefaultTimeout, test } from "bun:test";
import { PassedReader } from "#forwarder/passed-reader.ts";
import { sharedMemory, word } from "#forwarder/shared-memory.ts";
import { Folder } from "../support/folder.ts";
import { hasThread } from "../support/forwarder.ts";
import { isMade, madeSize } from "../support/made-passages.ts";
import { allowed } from "../support/measure.ts";

/** Records of one run; `STRESS_RECORDS=10000000` is the long form. */
const records = Number(process.env["STRESS_RECORDS"] ?? 300_000);

setDefaultTimeout(allowed(60_000) + records / 2);

/** How a judge reads: as fast as it can, with pauses so that the ring fills, or so slowly that the file does. */
const paces = [
  ["a quick judge", () => 0],
  ["a judge with pauses", (number: number) => (number % 5_000 === 0 ? 3 : 0)],
  ["a slow judge", (number: number) => (number % 20_000 === 10_000 ? 120 : 0)],
] as const;

const fixture = new URL("../fixtures/publishing-thread.ts", import.meta.url);

for (const [seed, [title, pauseMs]] of paces.entries()) {
  test.skipIf(!hasThread)(
    `two threads, ${title}: every record once, in order, byte by byte`,
    async () => {
      using folder = new Folder();
      const memory = sharedMemory();
      const reader = new PassedReader(memory);
      const worker = new Worker(fixture);
      worker.postMessage({ buffer: memory.buffer, path: folder.at("spool"), seed, records }, []);
      /** Files that were freed while the other thread went on. */
      let files = 0;
      for (let number = 0; number < records;) {
        const passed = reader.next();
        if (!passed) {
          if (reader.rest(0)) files += 1;
          await Bun.sleep(0);
          continue;
        }
        check(passed, seed, number);
        number += 1;
        const pause = pauseMs(number);
        if (pause > 0) await Bun.sleep(pause);
      }
      expect(reader.next()).toBeUndefined();
      if (seed === 2) expect(files).toBeGreaterThan(2);
      worker.terminate();
    },
  );
}

test.skipIf(!hasThread)("a writer that is ended at any moment leaves whole records", async () => {
  for (let seed = 10; seed < 20; seed += 1) {
    using folder = new Folder();
    const memory = sharedMemory();
    const reader = new PassedReader(memory);
    const worker = new Worker(fixture);
    const ended = new Promise((resolve) => {
      worker.addEventListener("close", resolve);
    });
    worker.postMessage({ buffer: memory.buffer, path: folder.at("spool"), seed, records: 1e9 }, []);
    while (Atomics.load(memory.words, word.spoolHead) === 0) await Bun.sleep(seed % 5);
    worker.terminate();
    await ended;
    let number = 0;
    for (let passed = reader.next(); passed; passed = reader.next()) {
      check(passed, seed, number);
      number += 1;
    }
    expect(number).toBeGreaterThan(0);
  }
});

/** Not `expect` for each of ten million. */
function check(
  passed: NonNullable<ReturnType<PassedReader["next"]>>,
  seed: number,
  number: number,
): void {
  const side = (number + seed) % 3 === 0 ? "client" : "server";
  const { from, bytes, atMs } = passed;
  const isRight =
    from === side && atMs === number / 4 && bytes && isMade(bytes, number, madeSize(seed, number));
  if (isRight !== true)
    throw new Error(`record ${number} of stream ${seed} is not as it was published`);
}
