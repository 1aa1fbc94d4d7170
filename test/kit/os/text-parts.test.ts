import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { splitText } from "#commands/count/command.ts";
import { allowed, cpuMs } from "../../support/measure.ts";

async function split(chunks: readonly string[], bytesMax: number): Promise<string[]> {
  const source = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk, "latin1");
  })();
  const found = await Array.fromAsync(splitText(source, bytesMax));
  return found.map((bytes) => Buffer.from(bytes).toString("latin1"));
}

test.each([
  [["one\ntwo\nthree"], ["one\ntwo\n", "three"]],
  [["one\n two\n\nthree\n"], ["one\n two\n\n", "three\n"]],
  [["one\n two\r\n\r\n"], ["one\n two\r\n\r\n"]],
  [["\n7"], ["\n", "7"]],
  [["\n"], ["\n"]],
  [[""], []],
  [[], []],
  [
    ["a\n", "Z", "b"],
    ["a\n", "Zb"],
  ],
])("%j is cut into %j", async (chunks, expected) => {
  expect(await split(chunks, 1)).toEqual(expected);
});

test("a text of at most bytesMax is one part", async () => {
  expect(await split(["a\nb", "\nc"], 6)).toEqual(["a\nb\nc"]);
});

test("nothing of any text is lost, and each part but the first begins with a letter or digit", async () => {
  const chunk = fc.string({ unit: fc.constantFrom("\n", "\r", " ", "a", "0", "Z", "-", "\xff") });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk), fc.integer({ min: 1, max: 20 }), async (chunks, bytesMax) => {
      const found = await split(chunks, bytesMax);
      expect(found.join("")).toBe(chunks.join(""));
      for (const [at, bytes] of found.entries()) {
        if (at === 0) continue;
        expect(bytes).toMatch(/^[0-9A-Za-z]/);
        expect(found[at - 1]).toEndWith("\n");
      }
    }),
  );
});

test("a long text without a cut is searched a few times, not once per chunk", async () => {
  const spent = await cpuMs(async () => {
    const [only, ...more] = await split(Array<string>(2_000).fill(" ".repeat(10_000)), 10_000);
    expect([only?.length, more.length]).toEqual([20_000_000, 0]);
  });
  expect(spent).toBeLessThan(allowed(2_000));
});
