import { expect, test } from "bun:test";
import { KeptText } from "#dash/server/kept-text.ts";

test("a text is made once for all who ask, and again when its time is over", async () => {
  let made = 0;
  let nowMs = 1_000;
  const text = new KeptText(
    async () => `text ${(made += 1)}`,
    100,
    () => nowMs,
  );
  expect(await Promise.all([text.get(), text.get()])).toEqual(["text 1", "text 1"]);
  nowMs += 99;
  expect(await text.get()).toBe("text 1");
  nowMs += 1;
  expect(await text.get()).toBe("text 2");
});

test("a text that cannot be made is tried again", async () => {
  const answers = [Promise.reject(new Error("no")), Promise.resolve("yes")];
  const text = new KeptText(() => answers.shift() ?? Promise.resolve("more"), 100);
  expect(await text.get().catch(String)).toBe("Error: no");
  expect(await text.get()).toBe("yes");
});
