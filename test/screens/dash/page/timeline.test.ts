import { describe, expect, test } from "bun:test";
import {
  layOutTimeline,
  makeCountTicks,
  makeTimeTicks,
  numberCalls,
  pickCallStyle,
  findNearestCall,
  pickSpread,
  type TimelineCall,
} from "#screens/dash/page/timeline.ts";

const size = { width: 100, contextHeight: 50, laneHeight: 20, lanes: 3 };

const makeCall = (seq: number, tool: string, more: Partial<TimelineCall> = {}): TimelineCall => ({
  seq,
  tool,
  offset_ms: seq * 1_000,
  duration_ms: 0,
  total_tokens: 100,
  outcome: "ok",
  context_tokens: 1_000 + seq * 100,
  ...more,
});

const bounds = { definitionTokens: 1_000, window: 0 };

const top = (window: number) =>
  layOutTimeline(
    [makeCall(1, "a", { context_tokens: 50_000 })],
    [],
    { ...bounds, window },
    { ...size, spread: "time" },
  ).contextTop;

describe("layOutTimeline", () => {
  test("a lane for each tool, the one with the most tokens first", () => {
    const calls = [makeCall(1, "few"), makeCall(2, "many"), makeCall(4, "many")];
    const { lanes, points } = layOutTimeline(calls, [], bounds, { ...size, spread: "time" });
    expect(lanes.map(({ tool }) => tool)).toEqual(["many", "few"]);
    expect(points.map(({ x, lane }) => [x, lane])).toEqual([
      [25, 1],
      [50, 0],
      [100, 0],
    ]);
  });

  test("tools beyond the lanes share the last one", () => {
    const calls = ["a", "b", "c", "d"].map((tool, at) =>
      makeCall(at + 1, tool, { total_tokens: 100 - at }),
    );
    const { lanes, points } = layOutTimeline(calls, [], bounds, { ...size, spread: "order" });
    expect(lanes.map(({ tool, tools }) => [tool, tools])).toEqual([
      ["a", 1],
      ["b", 1],
      [null, 2],
    ]);
    expect(points.map(({ x }) => x)).toEqual([25, 50, 75, 100]);
  });

  test("calls of a look are one path; the largest is as high as its lane, the smallest is still there", () => {
    const calls = [
      makeCall(1, "a", { total_tokens: 10_000 }),
      makeCall(2, "a", { total_tokens: 0, outcome: "refused" }),
    ];
    const [lane] = layOutTimeline(calls, [], bounds, { ...size, spread: "order" }).lanes;
    expect(lane?.paths).toEqual({ ok: "M50 17v-14", refused: "M100 17v-3" });
  });

  test("the context begins with the definitions and grows in steps", () => {
    const calls = [
      makeCall(1, "a", { context_tokens: 2_000 }),
      makeCall(2, "a", { context_tokens: 4_000 }),
    ];
    const { line, contextTop } = layOutTimeline(calls, [], bounds, { ...size, spread: "order" });
    expect(contextTop).toBeCloseTo(4_320);
    expect(line).toBe("M0 38.4H50V26.9H100V3.7H100");
    const late = [makeCall(1, "a", { context_tokens: 100 })];
    const drawn = layOutTimeline(late, [], bounds, { ...size, spread: "order" });
    expect(drawn.line).toStartWith("M0 50H100");
  });

  test("the window is in view once the context is near it", () => {
    expect(top(200_000)).toBeCloseTo(216_000);
    expect(top(200_001)).toBeCloseTo(54_000);
    expect(top(10_000)).toBeCloseTo(54_000);
  });

  test("an alert stands at its call, and one after the last call at that", () => {
    const mark = { seq: 9, alert: "heavy_call", tool: "a", detail: "d" } as const;
    const { marks } = layOutTimeline(
      [makeCall(1, "a"), makeCall(2, "a")],
      [
        ["x", { ...mark, offset_ms: 2_000 }],
        ["y", { ...mark, offset_ms: 9_000 }],
      ],
      bounds,
      { ...size, spread: "order" },
    );
    expect(marks.map(({ key, x }) => [key, x])).toEqual([
      ["x", 100],
      ["y", 100],
    ]);
  });

  test("a session without calls, and one of 5,000", () => {
    const none = layOutTimeline([], [], bounds, { ...size, spread: "time" });
    expect([none.lanes, none.points]).toEqual([[], []]);
    const calls = Array.from({ length: 5_000 }, (_, at) => makeCall(at, `t${at % 40}`));
    const many = layOutTimeline(calls, [], bounds, { ...size, spread: "time" });
    expect([many.lanes.length, many.points.length]).toEqual([size.lanes, 5_000]);
  });
});

test("the nearest call is of the pointed lane, else of any", () => {
  const { points } = layOutTimeline(
    [makeCall(1, "a"), makeCall(2, "b"), makeCall(4, "b")],
    [],
    bounds,
    {
      ...size,
      spread: "time",
    },
  );
  expect(findNearestCall(points, 26, undefined)?.call.seq).toBe(1);
  expect(findNearestCall(points, 26, 0)?.call.seq).toBe(2);
  expect(findNearestCall([], 26, 0)).toBeUndefined();
});

test("ends of calls have four looks", () => {
  expect(
    (["ok", "tool_error", "rpc_error", "refused", "cancelled", "abandoned"] as const).map(
      pickCallStyle,
    ),
  ).toEqual(["ok", "error", "error", "refused", "other", "other"]);
});

test("a call is drawn from its start to its end, by time", () => {
  const calls = [makeCall(1, "a", { offset_ms: 4_000, duration_ms: 2_000 })];
  const drawn = (spread: "time" | "order") =>
    layOutTimeline(calls, [], bounds, { ...size, spread }).lanes[0]?.paths.ok;
  expect(drawn("time")).toStartWith("M50 17H100M100 17v");
  expect(drawn("order")).toStartWith("M100 17v");
});

test("calls are by order where most of the time passed before the first of them", () => {
  const spreads = [[900, 1_000], [100, 1_000], [900], []].map((offsets) =>
    pickSpread(offsets.map((offset_ms, seq) => makeCall(seq, "a", { offset_ms }))),
  );
  expect(spreads).toEqual(["order", "time", "time", "time"]);
});

test("calls are numbered in their order, whatever records are between them", () => {
  const numbers = numberCalls([11, 6, 14].map((seq) => ({ seq })));
  expect([6, 11, 14].map((seq) => numbers.get(seq))).toEqual([1, 2, 3]);
});

const listLabels = (ticks: readonly { readonly label: string }[]) =>
  ticks.map(({ label }) => label);

test("counts have round ticks up to the most", () => {
  expect(listLabels(makeCountTicks(216_000, 4))).toEqual(["0", "100k", "200k"]);
  expect(listLabels(makeCountTicks(7, 4))).toEqual(["0", "2", "4", "6"]);
  expect(listLabels(makeCountTicks(7_000, 4))).toEqual(["0", "2k", "4k", "6k"]);
  expect(makeCountTicks(0, 4)).toEqual([]);
  expect(listLabels(makeCountTicks(1.2, 4))).toEqual(["0", "1"]);
});

test("times have ticks in minutes and seconds, or in hours", () => {
  expect(listLabels(makeTimeTicks(780_000, 6))).toEqual(["0:00 min", "5:00 min", "10:00 min"]);
  expect(listLabels(makeTimeTicks(5_000, 5))).toEqual(["0 s", "1 s", "2 s", "3 s", "4 s", "5 s"]);
  expect(listLabels(makeTimeTicks(560, 3))).toEqual(["0 s", "0.2 s", "0.4 s"]);
  expect(listLabels(makeTimeTicks(5_400_000, 4))).toEqual(["0:00 h", "0:30 h", "1:00 h", "1:30 h"]);
  expect(makeTimeTicks(400 * 86_400_000, 4).length).toBeLessThan(8);
  expect(makeTimeTicks(1e15, 4).length).toBeLessThanOrEqual(100);
});
