import { expect, test } from "bun:test";
import { unreadAfterCloseMaxMs, unreadAfterSignalMaxMs } from "#limits/forwarding.ts";
import { Goodbye } from "#proxy/goodbye.ts";

test("a client that stays is waited for without end, one that leaves is not", () => {
  const goodbye = new Goodbye();
  expect(goodbye.patienceMs).toBe(Infinity);
  goodbye.closed();
  expect(goodbye.patienceMs).toBe(unreadAfterCloseMaxMs);
  goodbye.signaled();
  expect(goodbye.patienceMs).toBe(unreadAfterSignalMaxMs);
});
