import { afterEach, expect, jest, test } from "bun:test";
import { Hub, dashDeltaMs } from "#screens/dash/server/hub.ts";
import type { View } from "#screens/dash/view.ts";
import { buildBudgetsView } from "#screens/dash/views/index.ts";
import { dashModel, viewChoice, viewSetting } from "../../../support/dash-model.ts";

const base = buildBudgetsView(dashModel([]), viewChoice({ screen: "budgets" }), viewSetting());

function world() {
  const state = { number: 0, made: 0 };
  const make = (): View => {
    state.made += 1;
    return { head: base.head, tables: { a: { x: { n: state.number } } } };
  };
  return { state, hub: new Hub(make, () => String(state.number)) };
}

function makeReader(choice = viewChoice()) {
  const events: [string, object][] = [];
  const page = { isReading: true };
  return {
    events,
    page,
    choice,
    send: (event: string, data: object): boolean => {
      if (page.isReading) events.push([event, data]);
      return page.isReading;
    },
    ping: () => void events.push(["ping", {}]),
  };
}

const readVersion = (events: readonly [string, object][]): string[] =>
  events.map(([event]) => event).filter((event) => event !== "ping");

let open: Hub | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
  jest.useRealTimers();
});

test("a page gets a snapshot, and then the changes alone", () => {
  jest.useFakeTimers();
  const { state, hub } = world();
  open = hub;
  const reader = makeReader();
  hub.add(reader);
  jest.advanceTimersByTime(2 * dashDeltaMs);
  state.number = 7;
  jest.advanceTimersByTime(2 * dashDeltaMs);
  jest.advanceTimersByTime(8 * dashDeltaMs);
  expect(readVersion(reader.events)).toEqual(["snapshot", "delta"]);
  expect(reader.events.at(-1)?.[1]).toEqual({ tables: { a: { set: { x: { n: 7 } }, gone: [] } } });
});

test("a page that does not read gets all changes at once later", () => {
  jest.useFakeTimers();
  const { state, hub } = world();
  open = hub;
  const one = makeReader();
  hub.add(one);
  one.page.isReading = false;
  for (const number of [1, 2, 3]) {
    state.number = number;
    jest.advanceTimersByTime(2 * dashDeltaMs);
  }
  one.page.isReading = true;
  state.number = 4;
  jest.advanceTimersByTime(2 * dashDeltaMs);
  expect(readVersion(one.events)).toEqual(["snapshot", "delta"]);
  expect(one.events.at(-1)?.[1]).toMatchObject({ tables: { a: { set: { x: { n: 4 } } } } });
});

test("pages of one choice share a view, and nothing is made for pages that have left", () => {
  jest.useFakeTimers();
  const { state, hub } = world();
  open = hub;
  const leave = [makeReader(), makeReader(), makeReader(viewChoice({ period: "today" }))].map(
    (one) => hub.add(one),
  );
  jest.advanceTimersByTime(2 * dashDeltaMs);
  const before = state.made;
  state.number = 1;
  jest.advanceTimersByTime(2 * dashDeltaMs);
  expect(state.made - before).toBe(2);
  for (const one of leave) one();
  expect(hub.size).toBe(0);
  state.number = 2;
  jest.advanceTimersByTime(20 * dashDeltaMs);
  expect(state.made - before).toBe(2);
});
