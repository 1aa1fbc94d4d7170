import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LagWatch } from "../../../scripts/bench/lag.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-lag-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const record = '{"type":"call"}\n';
const answers = (count: number) => Buffer.from("answer\n".repeat(count));

test("a lag is the time from an answer to its record, and 0 for a record that came first", async () => {
  const path = join(folder, "records.ndjson");
  appendFileSync(path, record);
  const watch = new LagWatch(path);
  try {
    watch.answered(answers(0));
    await Bun.sleep(20);
    watch.answered(answers(2));
    await Bun.sleep(30);
    appendFileSync(path, record);
    await watch.settle();
    const [first = -1, second = -1] = watch.lagsMs(0);
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(25);
    expect(watch.lagsMs(1)).toEqual([second]);
  } finally {
    watch.close();
  }
});

test("a record that never comes is infinitely late", async () => {
  const watch = new LagWatch(join(folder, "absent.ndjson"));
  watch.answered(answers(1));
  await watch.settle(20);
  watch.close();
  expect(watch.lagsMs(0)).toEqual([Infinity]);
});
