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
  const conversations = new Conversations(async () => {
    begun += 1;
    const number = begun;
    const meter = {
      endExchange: () => undefined,
      whenCaughtUp: () => undefined,
      whenDecided: () => undefined,
      ...openMeter,
    };
    return { meter, close: async () => void closed.push(number) };
  });
  return { conversations, closed, begun: () => begun };
}

describe("Conversations", () => {
  test("one for each session and each client, a client's text is not a session", () => {
    const { conversations, begun } = opened();
    const first = conversations.findOrOpen({ session: "a" }, 0);
    expect(conversations.findOrOpen({ session: "a" }, 1)).toBe(first);
    expect(first.isStateless).toBe(false);
    const second = conversations.findOrOpen({ client: "a" }, 0);
    expect(second.isStateless).toBe(true);
    expect(second).not.toBe(first);
    expect([conversations.size, begun()]).toEqual([2, 2]);
  });

  test("ends one, and begins another with its key", async () => {
    const { conversations, closed } = opened();
    const first = conversations.findOrOpen({ session: "a" }, 0);
    conversations.end({ session: "a" });
    conversations.end({ session: "a" });
    conversations.end({ session: "never" });
    expect(conversations.findOrOpen({ session: "a" }, 0)).not.toBe(first);
    await conversations.close();
    expect(closed).toEqual([1, 2]);
    expect(conversations.size).toBe(0);
  });

  test("ends those that were silent for longer than the limit", async () => {
    const { conversations, closed } = opened();
    conversations.findOrOpen({ session: "quiet" }, 0);
    conversations.findOrOpen({ session: "busy" }, 0).enter();
    conversations.sweep(silentConversationMaxMs);
    expect(conversations.size).toBe(2);
    conversations.sweep(silentConversationMaxMs + 1);
    expect(conversations.size).toBe(1);
    await Bun.sleep(0);
    expect(closed).toEqual([1]);
  });

  test("beyond the limit the one that was silent longest ends", async () => {
    const { conversations, closed } = opened();
    for (let number = 0; number < conversationsMax; number += 1) {
      conversations.findOrOpen({ session: String(number) }, number === 3 ? 1 : 10);
    }
    expect(conversations.size).toBe(conversationsMax);
    conversations.findOrOpen({ session: "one more" }, 20);
    expect(conversations.size).toBe(conversationsMax);
    await Bun.sleep(0);
    expect(closed).toEqual([4]);
  });

  test("of conversations that are all in use the first one ends", async () => {
    const { conversations, closed } = opened();
    for (let number = 0; number < conversationsMax; number += 1) {
      conversations.findOrOpen({ session: String(number) }, 0).enter();
    }
    conversations.findOrOpen({ session: "one more" }, 0);
    await eventually("its end", () => closed.length > 0);
    expect(closed).toEqual([1]);
  });

  test("close waits for exchanges that are about to end, and not for others", async () => {
    const { conversations, closed } = opened();
    const first = conversations.findOrOpen({ session: "a" }, 0);
    first.enter();
    const closing = conversations.close();
    await Bun.sleep(20);
    expect(closed).toEqual([]);
    first.leave(0);
    await closing;
    expect(closed).toEqual([1]);
    conversations.findOrOpen({ session: "b" }, 0).enter();
    const beganMs = performance.now();
    await conversations.close();
    // A timer may be a fraction of a millisecond early.
    expect(performance.now() - beganMs).toBeGreaterThan(exchangesEndMaxMs - 2);
    expect(closed).toEqual([1, 2]);
  });
});
