import { expect, test } from "bun:test";
import { RetryDelay, retryDelayMinMs } from "#state/stores/retry-delay.ts";

test("each failure doubles the delay, up to 30 s", () => {
  const delay = new RetryDelay();
  const delays = Array.from({ length: 8 }, () => delay.next());
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("a store that was open for two minutes starts from the minimum again, a shorter time does not", () => {
  let nowMs = 0;
  const delay = new RetryDelay(() => nowMs);
  for (let failure = 0; failure < 3; failure += 1) delay.next();
  delay.markOpened();
  nowMs += 120_000;
  expect(delay.next()).toBe(retryDelayMinMs * 8);
  nowMs += 120_001;
  expect(delay.next()).toBe(retryDelayMinMs * 16);
  delay.markOpened();
  nowMs += 120_001;
  expect([delay.next(), delay.next()]).toEqual([retryDelayMinMs, retryDelayMinMs * 2]);
});
