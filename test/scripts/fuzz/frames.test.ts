import { expect, test } from "bun:test";
import { frame, FrameReader } from "../../../scripts/fuzz/frames.ts";

const sent = Buffer.concat([
  frame("hello", Buffer.from("42")),
  frame("data", Buffer.alloc(300, "x")),
  frame("end"),
]);

for (const size of [1, 2, 7, 1_000]) {
  test(`frames are found in chunks of ${size} bytes`, () => {
    const reader = new FrameReader();
    const frames = [];
    for (let from = 0; from < sent.length; from += size) {
      frames.push(...reader.push(sent.subarray(from, from + size)));
    }
    expect(frames.map(({ kind, payload }) => [kind, payload.length])).toEqual([
      ["hello", 2],
      ["data", 300],
      ["end", 0],
    ]);
  });
}
