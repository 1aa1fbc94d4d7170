import { expect, test } from "bun:test";
import { notificationMethodsMax } from "#limits/calls.ts";
import { NotificationCounts } from "#calls/notification-counts.ts";

test("counts by method and direction, and beyond the limit together", () => {
  const counts = new NotificationCounts();
  for (let at = 0; at < notificationMethodsMax; at += 1) counts.add("server", `m${at}`, 1);
  counts.add("server", "m0", 10);
  for (const method of ["one more", "and one"]) counts.add("server", method, 5);
  expect(counts.list()).toHaveLength(notificationMethodsMax + 1);
  expect(counts.list()[0]).toEqual({ method: "m0", from: "server", count: 2, bytes: 11 });
  expect(counts.list().at(-1)).toEqual({ method: "(other)", from: "server", count: 2, bytes: 10 });
});
