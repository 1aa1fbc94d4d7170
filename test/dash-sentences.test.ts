import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { dashSentences } from "../src/dash-sentences.ts";

test("dashSentences are sentences, and none of them has the name of another", () => {
  expect(sentences).toMatchObject(dashSentences);
  expect(dashSentences.dashCallsLeftOut(1)).toBe(
    "Shown in sums alone: 1 call; a later --since has room for each",
  );
});
