import { expect, test } from "bun:test";
import { TurnPeriods } from "#reports/imported/turn-periods.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { noon, turn } from "./made-history.ts";

const zone = new TimeZone("UTC");
const day = 86_400_000;

const turns = [
  turn(0, { ts: new Date(noon - day).toISOString() }),
  turn(1),
  turn(2, { model: "haiku" }),
  turn(3),
  turn(4, { ts: new Date(noon + day).toISOString() }),
];

test("turns of a report are numbered by day and model, others are 0", () => {
  const periods = new TurnPeriods(turns, { range: { fromMs: noon, toMs: Infinity }, zone });
  expect(periods.numbers).toEqual([0, 1, 2, 1, 3]);
  const today = zone.dayOf(noon);
  expect([...periods.all]).toEqual([
    [1, { day: today, model: "claude-opus-4-8" }],
    [2, { day: today, model: "haiku" }],
    [3, { day: today + 1, model: "claude-opus-4-8" }],
  ]);
});

test("turns from a place on are counted by period", () => {
  const periods = new TurnPeriods(turns, { range: { fromMs: noon, toMs: Infinity }, zone });
  expect([...periods.turnsFrom(0)]).toEqual([
    [1, 2],
    [2, 1],
    [3, 1],
  ]);
  expect([...periods.turnsFrom(3)]).toEqual([
    [1, 1],
    [3, 1],
  ]);
  expect([...periods.turnsFrom(Infinity)]).toEqual([]);
});
