import { expect, test } from "bun:test";
import { pump, type Source } from "#proxy/pump.ts";
import { Turns } from "#proxy/turns.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

/** A source of these chunks, which then ends, or fails. */
function sourceOf(chunks: readonly string[], fails = false): Source {
  const left = [...chunks];
  return {
    read() {
      const chunk = left.shift();
      if (chunk === undefined && fails) return Promise.reject(new Error("EIO"));
      return Promise.resolve(chunk === undefined ? {} : { value: bytesOf(chunk) });
    },
  };
}

/** A lane that tells what reaches it. */
function heardLane(push: () => Promise<void> | undefined = () => undefined) {
  const heard: string[] = [];
  const lane = {
    push(chunk: Uint8Array) {
      heard.push(textOf(chunk));
      return push();
    },
    end() {
      heard.push("(end)");
      return undefined;
    },
  };
  return { heard, lane };
}

test("moves every chunk, empty ones too, then ends the lane", async () => {
  const { heard, lane } = heardLane();
  await pump(sourceOf(["a", "", "b"]), lane, new Turns(), () => false);
  expect(heard).toEqual(["a", "", "b", "(end)"]);
});

test("reads the next chunk when the last was taken", async () => {
  const slow = Promise.withResolvers<void>();
  const { heard, lane } = heardLane(() => slow.promise);
  const moved = pump(sourceOf(["a", "b"]), lane, new Turns(), () => false);
  await Bun.sleep(1);
  expect(heard).toEqual(["a"]);
  slow.resolve();
  await moved;
  expect(heard).toEqual(["a", "b", "(end)"]);
});

test("a source that fails has ended", async () => {
  const { heard, lane } = heardLane();
  await pump(sourceOf(["a"], true), lane, new Turns(), () => false);
  expect(heard).toEqual(["a", "(end)"]);
});

test("stops at once when nobody reads any more", async () => {
  const { heard, lane } = heardLane();
  await pump(sourceOf(["a", "b"]), lane, new Turns(), () => true);
  expect(heard).toEqual(["a"]);
});

test("lets the loop turn under load", async () => {
  let turned = 0;
  const timer = setInterval(() => (turned += 1), 1);
  const { lane } = heardLane(() => {
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    return undefined;
  });
  await pump(sourceOf(Array(100).fill("x")), lane, new Turns(), () => false);
  clearInterval(timer);
  expect(turned).toBeGreaterThan(3);
});
