import { describe, expect, test } from "bun:test";
import type { CounterAnswer } from "#state/stores/redis/counter-script.ts";
import { SharedBook } from "#state/stores/redis/shared-book.ts";

const noon = Date.UTC(2026, 8, 1, 12);
const day = Math.floor(noon / 86_400_000);
const counter = { key: "k", per: "day", limit: 100 } as const;
const nothing = { held: 0, spent: 0 };
const holding = (held: number) => ({ current: nothing, next: { held, spent: 0 } });

function answer(held: number, pledged = 0, spent = 0): CounterAnswer {
  const share = { held, pledged };
  return { window: day, spent, held, share, nowMs: noon, born: 7, isLost: false };
}

describe("SharedBook", () => {
  test("covers nothing before it was answered, and then what was granted", () => {
    const book = new SharedBook(counter);
    expect(book.covers(holding(10))).toBe(false);
    book.requestRoom(holding(10));
    const change = book.makeChange();
    expect(change).toMatchObject({ seq: 1, window: undefined, growth: 10, pledge: 0 });
    book.takeAnswer(answer(10), change);
    expect([book.covers(holding(10)), book.covers(holding(11)), book.isFull]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("less than was wanted is all that there was", () => {
    const book = new SharedBook(counter);
    book.requestRoom(holding(50));
    const change = book.makeChange();
    book.takeAnswer({ ...answer(20), held: 100 }, change);
    expect(book.isFull).toBe(true);
  });

  test("credit is given up while a change is on its way that gives it back", () => {
    const book = new SharedBook(counter);
    book.requestRoom(holding(50));
    book.takeAnswer(answer(50), book.makeChange());
    book.apply(holding(20));
    const change = book.makeChange();
    expect(change).toMatchObject({ open: 20, growth: 0 });
    expect(book.covers(holding(1))).toBe(false);
  });

  test("an unanswered change is sent again as it was, with what is known", () => {
    const book = new SharedBook(counter);
    book.takeAnswer(answer(0, 0, 30), book.makeChange());
    book.apply({ current: nothing, next: { held: 0, spent: 7 } });
    const lost = book.makeChange();
    book.clearRequests();
    book.apply({ current: nothing, next: { held: 0, spent: 5 } });
    expect(book.makeChange(true)).toEqual({ ...lost, knownSpent: 30 });
    book.takeAnswer(answer(0, 0, 37), lost);
    expect(book.unwritten).toBe(5);
    expect(book.readStanding(noon).taken).toBe(42);
    expect(book.makeChange().seq).toBe(lost.seq + 1);
  });

  test("each change has what the last answer said, and of which counter", () => {
    const book = new SharedBook(counter);
    const first = book.makeChange();
    expect(first.lastAnswer).toEqual({ spent: 0, born: 0 });
    book.takeAnswer(answer(0, 0, 30), first);
    expect(book.makeChange().lastAnswer).toEqual({ spent: 30, born: 7 });
  });

  test("spending needs a pledge, not only room", () => {
    const book = new SharedBook(counter);
    book.requestRoom(holding(50));
    book.takeAnswer(answer(50), book.makeChange());
    expect(book.covers({ current: nothing, next: { held: 0, spent: 10 } })).toBe(false);
  });

  test("amounts are old when their window has passed, or their lease may have", () => {
    const book = new SharedBook(counter);
    book.takeAnswer(answer(0, 0, 30), book.makeChange());
    expect([book.isCurrent(noon), book.isCurrent(noon + 40_000)]).toEqual([true, false]);
    const tomorrow = noon + 86_400_000;
    expect(book.readStanding(tomorrow).taken).toBe(0);
    book.enterWindow(tomorrow);
    expect(book.window).toBe(day + 1);
    expect(book.isDirty).toBe(true);
  });

  test("the answer to a change of a window that has passed is not taken", () => {
    const book = new SharedBook(counter);
    book.takeAnswer(answer(0, 0, 100), book.makeChange());
    book.requestRoom(holding(10));
    const late = book.makeChange();
    book.enterWindow(noon + 86_400_000);
    book.apply({ current: nothing, next: { held: 0, spent: 10 } });
    const sent = book.makeChange();
    book.takeAnswer(answer(0, 0, 100), late);
    expect([book.window, book.unwritten, book.isFull]).toEqual([day + 1, 10, false]);
    expect(book.makeChange()).toEqual({ ...sent, knownSpent: 0 });
  });

  test("what others hold is no room, what was forced beyond the limit neither", () => {
    const book = new SharedBook(counter);
    book.takeAnswer({ ...answer(0), held: 60 }, book.makeChange());
    expect([book.fits(holding(40)), book.fits(holding(41))]).toEqual([true, false]);
    book.apply(holding(90));
    expect(book.fits(holding(1))).toBe(false);
  });
});
