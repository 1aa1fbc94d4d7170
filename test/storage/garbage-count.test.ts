import { expect, spyOn, test } from "bun:test";
import { GarbageCount } from "#storage/garbage-count.ts";

test("garbage is collected after more than the limit", () => {
  const collect = spyOn(Bun, "gc").mockImplementation(() => {});
  try {
    const garbage = new GarbageCount(10);
    for (const bytes of [5, 5, 1, 10]) garbage.add(bytes);
    expect(collect).toHaveBeenCalledTimes(1);
  } finally {
    collect.mockRestore();
  }
});
