import { expect, test } from "bun:test";
import { interleave } from "../../../scripts/bench/interleave.ts";

test("each round begins with another contestant, every second runs backwards; the series keep their order", async () => {
  const order: string[] = [];
  const series = await interleave(["a", "b", "c"], 3, (contestant, round) => {
    order.push(contestant);
    return round;
  });
  expect(order.join("")).toBe("abcacbcab");
  expect(series).toEqual([
    { contestant: "a", samples: [0, 1, 2] },
    { contestant: "b", samples: [0, 1, 2] },
    { contestant: "c", samples: [0, 1, 2] },
  ]);
});
