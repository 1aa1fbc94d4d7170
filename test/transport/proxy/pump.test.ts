import { expect, test } from "bun:test";
import { LineScheduler } from "#transport/proxy/judge.ts";
import { type ChunkSource, pump, rejectOnFailure } from "#transport/proxy/pump-forwarding.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { rejectionOf } from "../../support/folder.ts";

function makeSource(chunks: readonly string[], fails = false): ChunkSource {
  const left = [...chunks];
  return {
    read() {
      const chunk = left.shift();
      if (chunk === undefined && fails) return Promise.reject(new Error("EIO"));
      return Promise.resolve(chunk === undefined ? {} : { value: bytesOf(chunk) });
    },
  };
}

function recordingTarget(push: () => Promise<void> | undefined = () => undefined) {
  const reached: string[] = [];
  const target = {
    push(chunk: Uint8Array) {
      reached.push(textOf(chunk));
      return push();
    },
    end() {
      reached.push("(end)");
      return undefined;
    },
  };
  return { reached, target };
}

test("pump moves every chunk, empty ones too, then ends the target", async () => {
  const { reached, target } = recordingTarget();
  await pump(makeSource(["a", "", "b"]), target, new LineScheduler(), () => false);
  expect(reached).toEqual(["a", "", "b", "(end)"]);
});

test("pump reads the next chunk when the last one was taken", async () => {
  const slow = Promise.withResolvers<void>();
  const { reached, target } = recordingTarget(() => slow.promise);
  const moved = pump(makeSource(["a", "b"]), target, new LineScheduler(), () => false);
  await Bun.sleep(1);
  expect(reached).toEqual(["a"]);
  slow.resolve();
  await moved;
  expect(reached).toEqual(["a", "b", "(end)"]);
});

test("pump takes the failure of a source for its end", async () => {
  const { reached, target } = recordingTarget();
  await pump(makeSource(["a"], true), target, new LineScheduler(), () => false);
  expect(reached).toEqual(["a", "(end)"]);
});

test("pump stops at once when nobody reads any more", async () => {
  const { reached, target } = recordingTarget();
  await pump(makeSource(["a", "b"]), target, new LineScheduler(), () => true);
  expect(reached).toEqual(["a"]);
});

test("pump lets the event loop turn under load", async () => {
  let turned = 0;
  const timer = setInterval(() => (turned += 1), 1);
  const { target } = recordingTarget(() => {
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    return undefined;
  });
  await pump(makeSource(Array(100).fill("x")), target, new LineScheduler(), () => false);
  clearInterval(timer);
  expect(turned).toBeGreaterThan(3);
});

test("rejectOnFailure: rejects with the first failure, and never resolves", async () => {
  const broken = Promise.withResolvers<void>();
  const failure = rejectOnFailure(Promise.resolve(), broken.promise);
  expect(await Promise.race([failure, Bun.sleep(20).then(() => "nothing yet")])).toBe(
    "nothing yet",
  );
  broken.reject(new TypeError("our own fault"));
  expect(await rejectionOf(failure)).toBe("TypeError: our own fault");
});
