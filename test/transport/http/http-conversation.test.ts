import { expect, test } from "bun:test";
import type { HttpExchange } from "#meter/calls/call.ts";
import {
  type ConversationMeter,
  HttpConversation,
  exchangesEndMaxMs,
} from "#transport/http/http-conversation.ts";
import {
  waiting,
  withhold,
  type DelayedEffectsReceiver,
  noEffects,
} from "#meter/session/decider.ts";
import { openMeter } from "../../support/http-proxy.ts";

function conversation(isStateless = false) {
  let closed = 0;
  const meter = {
    endExchange: () => undefined,
    whenCaughtUp: () => undefined,
    whenDecided: (): Promise<void> | undefined => undefined,
    ...openMeter,
  };
  const opening = Promise.resolve({ meter, close: async () => void (closed += 1) });
  return { started: new HttpConversation(isStateless, opening, 5), meter, closed: () => closed };
}

test("is silent since its last exchange ended, and not while there is one", () => {
  const { started } = conversation();
  expect(started.silentSinceMs).toBe(5);
  started.enter();
  started.enter();
  started.leave(7);
  expect(started.silentSinceMs).toBe(Infinity);
  started.leave(9);
  expect(started.silentSinceMs).toBe(9);
});

test("names its exchanges, gives its meter, and closes it", async () => {
  const { started, meter, closed } = conversation(true);
  expect(started.makeExchange(3)).toEqual({ number: 3, isStateless: true });
  expect(await started.whenOpen()).toBe(meter);
  await started.close();
  expect(closed()).toBe(1);
});

test("a meter that failed to open is none", async () => {
  const started = new HttpConversation(false, Promise.resolve(undefined), 0);
  expect(await started.whenOpen()).toBeUndefined();
  await started.close();
});

test("settles when its exchanges have ended, and without any at once", async () => {
  const { started } = conversation();
  await started.settle();
  started.enter();
  started.enter();
  const log: string[] = [];
  const settled = started.settle().then(() => log.push("settled"));
  started.leave(1);
  await Bun.sleep(0);
  expect(log).toEqual([]);
  started.leave(2);
  await settled;
  expect(log).toEqual(["settled"]);
});

test("an exchange that does not end has its time", async () => {
  const { started } = conversation();
  started.enter();
  await started.settle();
  expect(started.silentSinceMs).toBe(Infinity);
});

test("a message that is kept is waited for after that time", async () => {
  const decided = Promise.withResolvers<void>();
  let isSettled = false;
  const { started, meter } = conversation();
  meter.whenDecided = () => decided.promise;
  started.enter();
  const settled = started.settle().then(() => (isSettled = true));
  await Bun.sleep(exchangesEndMaxMs + 50);
  expect(isSettled).toBe(false);
  decided.resolve();
  await settled;
});

async function keeping() {
  const exchanges: HttpExchange[] = [];
  let lateDecisions: DelayedEffectsReceiver | undefined;
  const meter: ConversationMeter = {
    endExchange: () => undefined,
    whenCaughtUp: () => undefined,
    whenDecided: () => undefined,
    ...openMeter,
    decide: ({ exchange }) => {
      if (exchange) exchanges.push(exchange);
      return waiting;
    },
    setDelayedReceiver: (followed) => void (lateDecisions = followed),
  };
  const started = new HttpConversation(
    false,
    Promise.resolve({ meter, close: async () => undefined }),
    0,
  );
  await started.whenOpen();
  const at = { monoMs: 0, wallMs: 0 };
  const line = { bytes: undefined, size: 0, skim: undefined };
  const decide = () => started.decide(meter, { from: "client", line, at }, 1);
  return { exchanges, lateDecisions: lateDecisions ?? expect.unreachable(), decide };
}

test("a message that is kept gets its own effects, by the very exchange it was given with", async () => {
  const { exchanges, lateDecisions, decide } = await keeping();
  const pending = [decide(), decide()];
  const [first, second] = exchanges;
  if (!first || !second) throw new Error("nothing was decided");
  lateDecisions.take({ exchange: { ...first }, effects: noEffects });
  const effects = withhold();
  lateDecisions.take({ exchange: second, effects });
  lateDecisions.take({ exchange: first, effects: noEffects });
  expect(await Promise.all(pending)).toEqual([noEffects, effects]);
});

test("everything that is kept passes when the meter fails", async () => {
  const { lateDecisions, decide } = await keeping();
  const pending = decide();
  lateDecisions.fail();
  expect(await pending).toBe(noEffects);
});
