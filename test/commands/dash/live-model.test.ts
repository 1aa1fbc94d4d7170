import { expect, test } from "bun:test";
import { parseSince, LiveModel } from "#commands/dash/live-model.ts";
import type { DashModel } from "#screens/dash/model/model.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { callRecord } from "../../support/made-records.ts";
import { dashNowMs } from "../../support/dash-model.ts";

const begin = (since: string): number => 20_000 - parseSince(since)(20_000);

test("parseSince takes a date, or an age in whole days", () => {
  expect(["1h", "24h", "25h", "7d", "4w"].map(begin)).toEqual([0, 0, 1, 6, 27]);
  expect(parseSince("1970-01-11")(20_000)).toBe(10);
});

const dayMs = 86_400_000;

test("on a new day all is read again, the old model is shown meanwhile, and no record is lost", async () => {
  const reads: DashModel[] = [];
  let finish: (() => void) | undefined;
  const live = new LiveModel(new TimeZone("UTC"), {
    chooseFirstDay: parseSince("4d"),
    nowMs: dashNowMs,
    read: async (model) => {
      reads.push(model);
      if (reads.length > 1) await new Promise<void>((resolve) => (finish = resolve));
    },
  });
  await live.start();
  const first = live.model;
  expect(new Date(first.fromMs).toISOString()).toBe("2026-11-10T00:00:00.000Z");
  await live.refresh(dashNowMs + 1_000);
  expect(reads).toEqual([first]);
  const { version } = live;
  const refreshed = live.refresh(dashNowMs + dayMs);
  await live.refresh(dashNowMs + dayMs);
  live.take(callRecord({ seq: 1, ts: new Date(dashNowMs).toISOString() }));
  expect(live.model).toBe(first);
  finish?.();
  await refreshed;
  expect(live.model).toBe(reads[1] ?? first);
  expect(live.model.listFacts("all")).toHaveLength(1);
  expect(first.listFacts("all")).toHaveLength(1);
  expect(live.version).not.toBe(version);
});

test("records that have changed are read again, once at a time and not before the first reading", async () => {
  let reads = 0;
  let finish: (() => void) | undefined;
  const live = new LiveModel(new TimeZone("UTC"), {
    chooseFirstDay: parseSince("4d"),
    nowMs: dashNowMs,
    read: async (model) => {
      reads += 1;
      model.add(callRecord({ seq: reads, ts: new Date(dashNowMs).toISOString() }));
      await new Promise<void>((resolve) => (finish = resolve));
    },
  });
  const started = live.start();
  expect(live.isFirstReading).toBe(true);
  await live.refresh(dashNowMs, () => true);
  expect(reads).toBe(1);
  finish?.();
  await started;
  const [first, { version }] = [live.model, live];
  await live.refresh(dashNowMs, () => false);
  expect(reads).toBe(1);
  expect(live.isFirstReading).toBe(false);
  const refreshed = live.refresh(dashNowMs, () => true);
  expect(live.isFirstReading).toBe(false);
  await live.refresh(dashNowMs, () => true);
  expect([reads, live.model === first]).toEqual([2, true]);
  finish?.();
  await refreshed;
  expect([live.model === first, live.version === version]).toEqual([false, false]);
  expect(live.model.calls.size).toBe(1);
});
