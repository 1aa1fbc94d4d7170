import { expect, test } from "bun:test";
import { interleave } from "../../../scripts/bench/interleave.ts";

test("each round has every contestant once, and the series keep their order", async () => {
  const order: string[] = [];
  const series = await interleave(["a", "b", "c"], 3, (contestant, round) => {
    order.push(contestant);
    return round;
  });
  expect(order.join("")).toBe("abcbcacab");
  expect(series).toEqual([
    { contestant: "a", samples: [0, 1, 2] },
    { contestant: "b", samples: [0, 1, 2] },
    { contestant: "c", samples: [0, 1, 2] },
  ]);
});

test.each([2, 3, 4, 5, 6])(
  "of %d contestants, each follows each other equally often",
  async (count) => {
    const contestants = [..."abcdef"].slice(0, count);
    const rounds = new Map<number, string>();
    await interleave(contestants, 2 * count, (contestant, round) => {
      rounds.set(round, (rounds.get(round) ?? "") + contestant);
    });
    const pairs = new Map<string, number>();
    for (const round of rounds.values()) {
      expect([...round].toSorted()).toEqual(contestants);
      for (let at = 1; at < count; at++) {
        const pair = round.slice(at - 1, at + 1);
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    }
    expect(pairs.size).toBe(count * (count - 1));
    expect(new Set(pairs.values())).toEqual(new Set([2]));
  },
);
