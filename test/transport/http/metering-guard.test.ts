import { MeteringGuard } from "#transport/http/metering-guard.ts";
import { expect, test } from "bun:test";
import { passUnchanged, nothingPasses } from "#transport/http/verdict.ts";

test("runs and judges until a part fails, which it names once without its message", async () => {
  const log: string[] = [];
  const guard = new MeteringGuard((what) => void log.push(what));
  await guard.run(async () => void log.push("ran"));
  expect(await guard.judge(async () => nothingPasses)).toBe(nothingPasses);
  await guard.run(() => Promise.reject(new RangeError("quotes the traffic")));
  await guard.run(async () => void log.push("not run"));
  expect(await guard.judge(async () => nothingPasses)).toBe(passUnchanged);
  expect(log).toEqual(["ran", "RangeError"]);
});

test("what cannot be judged passes", async () => {
  const log: string[] = [];
  const guard = new MeteringGuard((what) => void log.push(what));
  expect(await guard.judge(() => Promise.reject(new TypeError("broken")))).toBe(passUnchanged);
  expect(log).toEqual(["TypeError"]);
});
