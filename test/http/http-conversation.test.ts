import { expect, test } from "bun:test";
import { HttpConversation } from "#http/http-conversation.ts";
import { openMeter } from "../support/http-proxy.ts";

function conversation(isStateless = false) {
  let closed = 0;
  const meter = { take: () => true, over: () => undefined, room: () => undefined, ...openMeter };
  const opening = Promise.resolve({ meter, close: async () => void (closed += 1) });
  return { one: new HttpConversation(isStateless, opening, 5), meter, closed: () => closed };
}

test("is silent since its last exchange ended, and not while there is one", () => {
  const { one } = conversation();
  expect(one.silentSinceMs).toBe(5);
  one.enter();
  one.enter();
  one.leave(7);
  expect(one.silentSinceMs).toBe(Infinity);
  one.leave(9);
  expect(one.silentSinceMs).toBe(9);
});

test("names its exchanges, gives its meter, and closes it", async () => {
  const { one, meter, closed } = conversation(true);
  expect(one.exchange(3)).toEqual({ number: 3, isStateless: true });
  expect(await one.meter()).toBe(meter);
  await one.close();
  expect(closed()).toBe(1);
});

test("a meter that failed to open is none", async () => {
  const one = new HttpConversation(false, Promise.resolve(undefined), 0);
  expect(await one.meter()).toBeUndefined();
  await one.close();
});

test("settles when its exchanges have ended, and without any at once", async () => {
  const { one } = conversation();
  await one.settle();
  one.enter();
  one.enter();
  const log: string[] = [];
  const settled = one.settle().then(() => log.push("settled"));
  one.leave(1);
  await Bun.sleep(0);
  expect(log).toEqual([]);
  one.leave(2);
  await settled;
  expect(log).toEqual(["settled"]);
});

test("an exchange that does not end has its time", async () => {
  const { one } = conversation();
  one.enter();
  await one.settle();
  expect(one.silentSinceMs).toBe(Infinity);
});
