import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { Exchanges, lateAnswersMax } from "#wire/pair-answers.ts";
import type { Side, Id } from "#wire/message.ts";

const id = (value: Id["value"], raw?: string): Id =>
  raw === undefined ? { value } : { value, raw };

function opened(...calls: readonly (readonly [Id["value"], string])[]): Exchanges<string> {
  const exchanges = new Exchanges<string>();
  for (const [value, call] of calls) exchanges.open("client", id(value), call);
  return exchanges;
}

const closeCall = (value: string) =>
  opened([1, "one"], [0, "zero"]).close("client", id(value))?.call;

describe("Exchanges", () => {
  test("remove takes out the requests of one side that match, others of the same id stay", () => {
    const exchanges = opened([1, "a"], [1, "b"], [1, "c"], [2, "b"]);
    exchanges.open("server", id(1), "b");
    expect(exchanges.remove("client", (call) => call === "b")).toEqual(["b", "b"]);
    expect(exchanges.size).toBe(3);
    expect(exchanges.close("client", id(1))?.call).toBe("a");
    expect(exchanges.close("client", id(1))?.call).toBe("c");
    expect(exchanges.close("client", id(2))).toBeUndefined();
    expect(exchanges.close("server", id(1))?.call).toBe("b");
  });

  test("1 and '1', '' and 0 are different ids", () => {
    const exchanges = opened([1, "number"], ["1", "text"], ["", "empty"], [0, "zero"]);
    const found = (["", "1", 0, 1] as const).map(
      (value) => exchanges.close("client", id(value))?.call,
    );
    expect(found).toEqual(["empty", "text", "zero", "number"]);
  });

  test("an answer whose id is a text belongs to the number that SDK clients read from it", () => {
    expect(["1", " 1 ", "1.0", "0x1", "1e0", ""].map(closeCall)).toEqual([
      "one",
      "one",
      "one",
      "one",
      "one",
      "zero",
    ]);
    expect(["one", "1a", "NaN", "-1"].map(closeCall)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("a text id of its own type comes first, and a late answer may write its id as text too", () => {
    const exchanges = opened([1, "number"], ["1", "text"]);
    expect(exchanges.close("client", id("1"))?.call).toBe("text");
    expect(exchanges.close("client", id("1"))?.call).toBe("number");
    const cancelled = opened([2, "cancelled"]);
    cancelled.cancel("client", id(2));
    expect(cancelled.close("client", id("2"))).toEqual({
      call: "cancelled",
      isLate: true,
      isSameType: false,
    });
  });

  test("ids beyond 2^53 that read the same are told apart by their text", () => {
    const exchanges = new Exchanges<string>();
    const value = Number("9007199254740993");
    exchanges.open("client", id(value, "9007199254740992"), "even");
    exchanges.open("client", id(value, "9007199254740993"), "odd");
    expect(exchanges.close("client", id(value, "9007199254740993"))?.call).toBe("odd");
    expect(exchanges.close("client", id(value, "9007199254740992"))?.call).toBe("even");
  });

  test(`${lateAnswersMax} cancelled calls are remembered, the oldest is not`, () => {
    const exchanges = new Exchanges<number>();
    for (let at = 0; at <= lateAnswersMax; at += 1) {
      exchanges.open("client", id(at), at);
      exchanges.cancel("client", id(at));
    }
    expect(exchanges.close("client", id(0))).toBeUndefined();
    expect(exchanges.close("client", id(1))).toEqual({ call: 1, isLate: true, isSameType: true });
  });

  test("one beyond the limit gives up the oldest, which is then unknown", () => {
    const exchanges = new Exchanges<string>(2);
    expect(exchanges.open("client", id(1), "a")).toBeUndefined();
    expect(exchanges.open("client", id(2), "b")).toBeUndefined();
    expect(exchanges.open("client", id(3), "c")).toBe("a");
    expect(exchanges.size).toBe(2);
    expect(exchanges.close("client", id(1))).toBeUndefined();
  });

  test("a server that only asks cannot push out the client's new calls", () => {
    const exchanges = new Exchanges<string>(2);
    exchanges.open("server", id(1), "flood 1");
    exchanges.open("server", id(2), "flood 2");
    expect(exchanges.open("client", id(1), "the client's")).toBe("flood 1");
    expect(exchanges.close("client", id(1))?.call).toBe("the client's");
  });

  test("drain gives everything that waits, oldest first, and forgets it", () => {
    const exchanges = opened([1, "a"], [2, "b"], [1, "c"]);
    exchanges.open("server", id(1), "d");
    expect(exchanges.drain()).toEqual(["a", "b", "c", "d"]);
    expect(exchanges.size).toBe(0);
    expect(exchanges.drain()).toEqual([]);
  });

  type Act = readonly ["open" | "close" | "cancel", Side, Id["value"]];
  const act: fc.Arbitrary<Act> = fc.tuple(
    fc.constantFrom("open", "close", "cancel"),
    fc.constantFrom("client", "server"),
    fc.constantFrom(1, 2, "1", "a"),
  );

  test("every call comes out once, whatever happens", () => {
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 80 }),
        fc.integer({ min: 1, max: 6 }),
        (acts, openMax) => {
          const exchanges = new Exchanges<number>(openMax);
          const out: number[] = [];
          let next = 0;
          const came = (call: number | undefined): void => {
            if (call !== undefined) out.push(call);
          };
          for (const [what, side, value] of acts) {
            if (what === "open") came(exchanges.open(side, id(value), next++));
            else if (what === "cancel") came(exchanges.cancel(side, id(value)));
            else {
              const closed = exchanges.close(side, id(value));
              if (closed && !closed.isLate) came(closed.call);
            }
            expect(exchanges.size).toBeLessThanOrEqual(openMax);
          }
          out.push(...exchanges.drain());
          expect(out.toSorted((a, b) => a - b)).toEqual([...Array(next).keys()]);
        },
      ),
    );
  });

  test("a doubted answer leaves its call known until the client uses the id again", () => {
    const exchanges = opened([1, "first"]);
    exchanges.close("client", id(1));
    exchanges.rememberDoubtful("client", id(1), "first");
    expect(exchanges.findDoubtful("client", id(1))).toBe("first");
    expect(exchanges.findDoubtful("client", id("1"))).toBe("first");
    expect(exchanges.findDoubtful("server", id(1))).toBeUndefined();
    exchanges.open("client", id(1), "second");
    expect(exchanges.findDoubtful("client", id(1))).toBeUndefined();
  });

  test(`of more than ${lateAnswersMax} doubted answers the oldest is forgotten`, () => {
    const exchanges = new Exchanges<number>();
    for (let at = 0; at <= lateAnswersMax; at += 1)
      exchanges.rememberDoubtful("client", id(at), at);
    expect(exchanges.findDoubtful("client", id(0))).toBeUndefined();
    expect(exchanges.findDoubtful("client", id(1))).toBe(1);
  });
});
