import { expect, test } from "bun:test";
import type { HttpExchange } from "#meter/calls/call.ts";
import {
  type ConversationMeter,
  HttpConversation,
  exchangesEndMaxMs,
} from "#transport/http/http-conversation.ts";
import { waiting, withhold, type LateFates, passed } from "#meter/session/event.ts";
import { openMeter } from "../../support/http-proxy.ts";

function conversation(isStateless = false) {
  let closed = 0;
  const meter = {
    take: () => true,
    over: () => undefined,
    room: () => undefined,
    waiting: (): Promise<void> | undefined => undefined,
    ...openMeter,
  };
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

test("a message that is kept is waited for after that time", async () => {
  const decided = Promise.withResolvers<void>();
  let isSettled = false;
  const { one, meter } = conversation();
  meter.waiting = () => decided.promise;
  one.enter();
  const settled = one.settle().then(() => (isSettled = true));
  await Bun.sleep(exchangesEndMaxMs + 50);
  expect(isSettled).toBe(false);
  decided.resolve();
  await settled;
});

async function keeping() {
  const exchanges: HttpExchange[] = [];
  let fates: LateFates | undefined;
  const meter: ConversationMeter = {
    take: () => true,
    over: () => undefined,
    room: () => undefined,
    waiting: () => undefined,
    ...openMeter,
    decide: ({ exchange }) => {
      if (exchange) exchanges.push(exchange);
      return waiting;
    },
    follow: (given) => void (fates = given),
  };
  const one = new HttpConversation(
    false,
    Promise.resolve({ meter, close: async () => undefined }),
    0,
  );
  await one.meter();
  const at = { monoMs: 0, wallMs: 0 };
  const line = { bytes: undefined, size: 0, skim: undefined };
  const decide = () => one.decide(meter, { from: "client", line, at }, 1);
  return { exchanges, fates: fates ?? expect.unreachable(), decide };
}

test("a message that is kept gets its own fate, by the very exchange it was given with", async () => {
  const { exchanges, fates, decide } = await keeping();
  const waiting = [decide(), decide()];
  const [first, second] = exchanges;
  if (!first || !second) throw new Error("nothing was decided");
  fates.decided({ exchange: { ...first }, fate: passed });
  const fate = withhold();
  fates.decided({ exchange: second, fate });
  fates.decided({ exchange: first, fate: passed });
  expect(await Promise.all(waiting)).toEqual([passed, fate]);
});

test("everything that is kept passes when the meter fails", async () => {
  const { fates, decide } = await keeping();
  const waiting = decide();
  fates.failed();
  expect(await waiting).toBe(passed);
});
