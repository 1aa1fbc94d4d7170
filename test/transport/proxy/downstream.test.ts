import { Outbox, LineScheduler } from "#transport/proxy/judge.ts";
import { expect, test } from "bun:test";
import { Downstream } from "#transport/proxy/pump-forwarding.ts";
import { bytesOf } from "../../support/bytes.ts";
import { FakePipe } from "../../support/fake-pipe.ts";

const never = new Promise<never>(() => undefined);

function downstream() {
  const [judged, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pipe = new FakePipe();
  pipe.taking = taken.promise;
  const outbox = new Outbox(pipe);
  let reads = 0;
  const subject = new Downstream({
    source: {
      read: () => ((reads += 1) === 1 ? Promise.resolve({ value: bytesOf("a\n") }) : never),
      cancel: () => Promise.resolve(),
    },
    lane: {
      push: async (chunk) => {
        await judged.promise;
        await outbox.write(chunk);
      },
      end: () => undefined,
    },
    outbox,
    scheduler: new LineScheduler(),
    whenDecided: () => undefined,
  });
  void subject.move();
  return { subject, judged, taken };
}

test("delivery tells bytes that wait for the judge from those that the client has not taken", async () => {
  const { subject, judged, taken } = downstream();
  await Bun.sleep(1);
  expect(subject.delivery.kind).toBe("waits-for-judge");
  await Bun.sleep(5);
  const beforeMs = performance.now();
  judged.resolve();
  await Bun.sleep(1);
  expect(subject.delivery.kind).toBe("waits-for-client");
  expect(subject.delivery.lastProgressMs).toBeGreaterThanOrEqual(beforeMs);
  taken.resolve();
  await Bun.sleep(1);
  expect(subject.delivery.kind).toBe("idle");
});
