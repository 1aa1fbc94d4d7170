import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { exactSentences } from "../src/exact-sentences.ts";

test("exactSentences are sentences, and none of them has the name of another", () => {
  expect(sentences).toMatchObject(exactSentences);
  expect(exactSentences.exactRefused("Anthropic", 400, "")).toBe(
    "Cannot get exact counts: Anthropic answers with status 400",
  );
  expect(exactSentences.exactTextTooLong("-", 1000)).toStartWith("Standard input is too long");
});
