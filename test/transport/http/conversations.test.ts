import { describe, expect, test } from "bun:test";
import {
  Conversations,
  conversationsMax,
  silentConversationMaxMs,
  exchangesEndMaxMs,
} from "#transport/http/http-conversation.ts";
import { eventually } from "../../support/wait.ts";
import { openMeter } from "../../support/http-proxy.ts";

function opened() {
  const closed: number[] = [];
  let begun = 0;
  const all = new Conversations(async () => {
    begun += 1;
    const number = begun;
    const meter = {
      take: () => true,
      over: () => undefined,
      room: () => undefined,
      waiting: () => undefined,
      ...openMeter,
    };
    return { meter, close: async () => void closed.push(number) };
  });
  return { all, closed, begun: () => begun };
}

describe("Conversations", () => {
  test("one for each session and each client, a client's text is not a session", () => {
    const { all, begun } = opened();
    const one = all.of({ session: "a" }, 0);
    expect(all.of({ session: "a" }, 1)).toBe(one);
    expect(one.isStateless).toBe(false);
    const other = all.of({ client: "a" }, 0);
    expect(other.isStateless).toBe(true);
    expect(other).not.toBe(one);
    expect([all.size, begun()]).toEqual([2, 2]);
  });

  test("ends one, and begins another with its key", async () => {
    const { all, closed } = opened();
    const one = all.of({ session: "a" }, 0);
    all.end({ session: "a" });
    all.end({ session: "a" });
    all.end({ session: "never" });
    expect(all.of({ session: "a" }, 0)).not.toBe(one);
    await all.close();
    expect(closed).toEqual([1, 2]);
    expect(all.size).toBe(0);
  });

  test("ends those that were silent for longer than the limit", async () => {
    const { all, closed } = opened();
    all.of({ session: "quiet" }, 0);
    all.of({ session: "busy" }, 0).enter();
    all.sweep(silentConversationMaxMs);
    expect(all.size).toBe(2);
    all.sweep(silentConversationMaxMs + 1);
    expect(all.size).toBe(1);
    await Bun.sleep(0);
    expect(closed).toEqual([1]);
  });

  test("beyond the limit the one that was silent longest ends", async () => {
    const { all, closed } = opened();
    for (let number = 0; number < conversationsMax; number += 1) {
      all.of({ session: String(number) }, number === 3 ? 1 : 10);
    }
    expect(all.size).toBe(conversationsMax);
    all.of({ session: "one more" }, 20);
    expect(all.size).toBe(conversationsMax);
    await Bun.sleep(0);
    expect(closed).toEqual([4]);
  });

  test("of conversations that are all in use the first one ends", async () => {
    const { all, closed } = opened();
    for (let number = 0; number < conversationsMax; number += 1) {
      all.of({ session: String(number) }, 0).enter();
    }
    all.of({ session: "one more" }, 0);
    await eventually("its end", () => closed.length > 0);
    expect(closed).toEqual([1]);
  });

  test("close waits for exchanges that are about to end, and not for others", async () => {
    const { all, closed } = opened();
    const one = all.of({ session: "a" }, 0);
    one.enter();
    const closing = all.close();
    await Bun.sleep(20);
    expect(closed).toEqual([]);
    one.leave(0);
    await closing;
    expect(closed).toEqual([1]);
    all.of({ session: "b" }, 0).enter();
    const beganMs = performance.now();
    await all.close();
    // A timer may be a fraction of a millisecond early.
    expect(performance.now() - beganMs).toBeGreaterThan(exchangesEndMaxMs - 2);
    expect(closed).toEqual([1, 2]);
  });
});
