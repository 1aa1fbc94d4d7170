import { describe, expect, test } from "bun:test";
import { ViewStream, type EventStream, type StreamState } from "#screens/dash/page/live.ts";
import type { ViewChoice } from "#screens/dash/view.ts";

const overview: ViewChoice = { screen: "overview", period: "7d" };
const budgets: ViewChoice = { screen: "budgets", period: "7d" };

class MadeStream implements EventStream {
  readyState = 1;
  isClosed = false;
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>();

  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.isClosed = true;
  }

  send(type: string, data?: unknown): void {
    this.#listeners.get(type)?.({ data });
  }
}

function makeStream() {
  const opened: { address: string; stream: MadeStream }[] = [];
  const waiting: (() => void)[] = [];
  const states: StreamState[] = [];
  const stream = new ViewStream({
    open: (address) => {
      const one = new MadeStream();
      opened.push({ address, stream: one });
      return one;
    },
    onChange: (followed) => states.push(followed),
    schedule: (_milliseconds, then) => {
      waiting.push(then);
      return () => waiting.splice(waiting.indexOf(then), 1);
    },
  });
  const newest = () => opened.at(-1)?.stream ?? expect.unreachable();
  const state = () => states.at(-1) ?? expect.unreachable();
  return { stream, opened, waiting, newest, state };
}

const sendSnapshot = (screen: string, rows: object) =>
  JSON.stringify({ head: { screen, command: "c" }, tables: { rows } });

describe("ViewStream", () => {
  test("shows a snapshot and the deltas on it", () => {
    const { stream, opened, newest, state } = makeStream();
    stream.follow(overview);
    expect(opened[0]?.address).toBe("/events?screen=overview&period=7d");
    newest().send("snapshot", sendSnapshot("overview", { a: { n: 1 }, b: { n: 2 } }));
    expect(state()).toMatchObject({ connection: "live", isDelta: false, shownChoice: overview });
    const previous = state().view?.tables["rows"]?.["b"];
    newest().send(
      "delta",
      JSON.stringify({ tables: { rows: { set: { a: { n: 5 } }, gone: [] } } }),
    );
    expect(state().view?.tables["rows"]).toEqual({ a: { n: 5 }, b: { n: 2 } });
    expect(state().view?.tables["rows"]?.["b"]).toBe(previous);
    expect(state().isDelta).toBe(true);
  });

  test("keeps the old view until that of the next choice arrives, and forgets the old stream", () => {
    const { stream, opened, newest, state } = makeStream();
    stream.follow(overview);
    newest().send("snapshot", sendSnapshot("overview", {}));
    stream.follow(budgets);
    const [old] = opened;
    expect(old?.stream.isClosed).toBe(true);
    expect(state().view?.head.screen).toBe("overview");
    old?.stream.send("snapshot", sendSnapshot("overview", { late: {} }));
    expect(state().view?.tables["rows"]).toEqual({});
    newest().send("snapshot", sendSnapshot("budgets", {}));
    expect(state()).toMatchObject({ shownChoice: budgets, view: { head: { screen: "budgets" } } });
  });

  const malformed = [
    undefined,
    "",
    "{",
    "null",
    "[]",
    '{"head":{"screen":"x"},"tables":{}}',
    '{"head":1}',
  ];
  for (const data of malformed) {
    test(`the snapshot ${String(data)} changes nothing`, () => {
      const { stream, newest, state } = makeStream();
      stream.follow(overview);
      newest().send("snapshot", sendSnapshot("overview", {}));
      const before = state();
      for (const type of ["snapshot", "delta"]) newest().send(type, data);
      expect(state()).toBe(before);
    });
  }

  test("a broken stream is the browser's to open again", () => {
    const { stream, opened, waiting, newest, state } = makeStream();
    stream.follow(overview);
    newest().readyState = 0;
    newest().send("error");
    expect(state().connection).toBe("reconnecting");
    expect([opened.length, waiting.length]).toEqual([1, 0]);
    newest().send("snapshot", sendSnapshot("overview", {}));
    expect(state().connection).toBe("live");
  });

  test("a refused stream is lost, and opened again for a key that another tab brought", () => {
    const { stream, opened, waiting, newest, state } = makeStream();
    stream.follow(overview);
    newest().readyState = 2;
    newest().send("error");
    expect(state().connection).toBe("lost");
    waiting.pop()?.();
    expect(opened).toHaveLength(2);
    newest().send("snapshot", sendSnapshot("overview", {}));
    expect(state().connection).toBe("live");
  });

  test("a paused stream is closed, waits for nothing, and resumes with the same choice", () => {
    const { stream, opened, waiting, newest } = makeStream();
    stream.follow(budgets);
    newest().readyState = 2;
    newest().send("error");
    stream.pause();
    expect([newest().isClosed, waiting.length]).toEqual([true, 0]);
    stream.resume();
    stream.resume();
    expect(opened.map(({ address }) => address)).toEqual([
      "/events?screen=budgets&period=7d",
      "/events?screen=budgets&period=7d",
    ]);
  });
});
