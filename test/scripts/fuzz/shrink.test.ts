import { expect, test } from "bun:test";
import { bytesOf, type Play, type Step } from "../../../scripts/fuzz/script.ts";
import { shrink } from "../../../scripts/fuzz/shrink.ts";

const step = (text: string): Step => ({ by: "client", pieces: [text] });
const script = (...texts: readonly string[]) => {
  return { seed: 1, steps: texts.map(step), ending: { kind: "kill" } } as const;
};
const textOf = (play: Play): string[] =>
  play.scripts.map(({ steps }) => steps.map(({ pieces }) => bytesOf(pieces).toString()).join(""));

test("only the steps and sessions that break the promise are left", async () => {
  const play = { set: "plain", scripts: [script("a", "b"), script(..."abcdefghijkl")] };
  const small = await shrink(play, async (candidate) => /c.*j/.test(textOf(candidate).join()));
  expect(textOf(small)).toEqual(["cj"]);
});

test("it ends when nothing can be left out, and when everything can", async () => {
  const play = { set: "plain", scripts: [script("a", "b", "c")] };
  const whole = await shrink(play, async (candidate) => textOf(candidate).join() === "abc");
  expect(textOf(whole)).toEqual(["abc"]);
  expect((await shrink(play, async () => true)).scripts).toEqual([]);
});
