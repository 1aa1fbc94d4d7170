import { expect, test } from "bun:test";
import { tokenFormat, windowShare } from "#renderers/documents/token-format.ts";

test("tokenFormat marks estimates, and exact counts not", () => {
  const [estimated, exact] = [tokenFormat(true), tokenFormat(false)];
  expect([estimated.count(1_200), exact.count(1_200)]).toEqual(["~1,200", "1,200"]);
  expect([estimated.tokens(1), exact.tokens(2)]).toEqual(["~1 token", "2 tokens"]);
});

test("windowShare names the window", () => {
  expect(windowShare(0.0619, 200_000)).toBe("6.2% of a 200,000-token window");
});
