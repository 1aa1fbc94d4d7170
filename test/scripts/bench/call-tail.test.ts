import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CallTail } from "../../../scripts/bench/call-tail.ts";
import { watchCalls } from "../../../scripts/bench/watch-calls.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-tail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = `${JSON.stringify({ seq: 1, type: "call", tool: "look_up" })}\n`;
const other = `${JSON.stringify({ seq: 2, type: "protocol" })}\n`;

test("calls are counted while the file grows, a record only once its line is whole", () => {
  const path = join(folder, "growing.ndjson");
  const tail = new CallTail(path);
  expect(tail.poll()).toBe(0);
  appendFileSync(path, other + call + call.slice(0, 20));
  expect(tail.poll()).toBe(1);
  expect(tail.poll()).toBe(1);
  appendFileSync(path, call.slice(20) + call);
  expect(tail.poll()).toBe(3);
  tail.close();
});

test("files of more than one buffer are read to their end", () => {
  const path = join(folder, "long.ndjson");
  const calls = 60_000;
  appendFileSync(path, (call + other).repeat(calls));
  const tail = new CallTail(path);
  expect(tail.poll()).toBe(calls);
  tail.close();
});

test("the wait for calls ends with the last of them", async () => {
  const path = join(folder, "awaited.ndjson");
  appendFileSync(path, call);
  let isWritten = false;
  const watched = watchCalls(path, 2, 1).then((atMs) => ({ atMs, isWritten }));
  await Bun.sleep(20);
  const beforeMs = performance.now();
  isWritten = true;
  appendFileSync(path, call);
  const { atMs, isWritten: wasWritten } = await watched;
  expect(wasWritten).toBe(true);
  expect(atMs).toBeGreaterThanOrEqual(beforeMs);
});

test("records that never come are not waited for", async () => {
  const path = join(folder, "absent.ndjson");
  expect(await watchCalls(path, 1, 1, 30)).toBeNaN();
});
