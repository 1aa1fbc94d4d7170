import { expect, test } from "bun:test";
import { rejectOnFailure, judgeRemaining } from "#transport/proxy/forwarding.ts";
import { rejectionOf } from "../../support/folder.ts";

test("rejectOnFailure: rejects with the first failure, and never resolves", async () => {
  const broken = Promise.withResolvers<void>();
  const failure = rejectOnFailure(Promise.resolve(), broken.promise);
  expect(await Promise.race([failure, Bun.sleep(20).then(() => "nothing yet")])).toBe(
    "nothing yet",
  );
  broken.reject(new TypeError("our own fault"));
  expect(await rejectionOf(failure)).toBe("TypeError: our own fault");
});

test("judgeRemaining: waits for the lines, and hurries the judge when that takes too long", async () => {
  const judged = Promise.withResolvers<void>();
  const log: string[] = [];
  const judging = judgeRemaining(judged.promise, {
    hurry: () => judged.resolve(void log.push("hurry")),
  });
  await judging;
  expect(log).toEqual(["hurry"]);
  await judgeRemaining(Promise.resolve(), { hurry: () => void log.push("again") });
  expect(log).toEqual(["hurry"]);
});
