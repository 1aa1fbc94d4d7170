import { describe, expect, test } from "bun:test";
import { parseCounterOptions, fleetCharactersMax } from "#commands/counters/counter-options.ts";
import { thrownBy } from "../../support/folder.ts";

describe("parseCounterOptions", () => {
  test("the default is the file in the state folder, also by name", () => {
    expect(parseCounterOptions({})).toBeUndefined();
    expect(parseCounterOptions({ counters: "file", fleet: "a" })).toBeUndefined();
  });

  test("a Redis, and the fleet in it", () => {
    expect(parseCounterOptions({ counters: "redis://cache" })).toMatchObject({
      address: { host: "cache" },
      fleet: "default",
    });
    const longest = "f".repeat(fleetCharactersMax);
    expect(parseCounterOptions({ counters: "redis://cache", fleet: longest })?.fleet).toBe(longest);
  });

  test.each([["a b"], ["{a}"], ["f".repeat(fleetCharactersMax + 1)], ["\u202e"]])(
    "%p is not the name of a fleet",
    (fleet) => {
      expect(thrownBy(() => parseCounterOptions({ fleet }))).toContain("--fleet");
    },
  );

  test("a URL that cannot be read is not quoted", () => {
    const sentence = thrownBy(() => parseCounterOptions({ counters: "redis//:canary@cache" }));
    expect(sentence).toContain("--counters");
    expect(sentence).not.toContain("canary");
  });
});
