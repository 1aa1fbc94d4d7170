import { describe, expect, test } from "bun:test";
import { findProfile } from "#cost/clients/index.ts";
import { answerConfidence, readerEstimation } from "#cost/reader-estimation.ts";
import { countedReader } from "../support/readers.ts";

function reader(client: string | undefined, confidence: "high" | "medium", model?: string) {
  const { estimator, ...rest } = countedReader();
  const profile = findProfile(client, { model });
  return { ...rest, estimator: { ...estimator, confidence, error: "exact" }, profile };
}

describe("readerEstimation", () => {
  test.each([
    ["opencode", "medium", "exact; texts that the client adds are counted within a few tokens"],
    [undefined, "medium", "exact; a client may add text of its own"],
    [
      "codex",
      "low",
      "an upper bound, because scripts of this client read the answers; the tokens of a text: exact",
    ],
  ] as const)("of %p is never exact: %s", (client, confidence, error) => {
    expect(readerEstimation(reader(client, "high"))).toEqual({ confidence, error });
  });

  test("of an estimator that is not sure says what the estimator says", () => {
    expect(readerEstimation(reader("opencode", "medium"))).toEqual({
      confidence: "medium",
      error: "exact",
    });
  });
});

test.each([
  ["opencode", {}, "high"],
  ["opencode", { isFramed: true }, "medium"],
  [undefined, {}, "medium"],
  ["codex", { isScripted: true }, "low"],
] as const)("an answer to %p that is %j has confidence %s", (client, visibility, expected) => {
  expect(answerConfidence("high", reader(client, "high"), visibility)).toBe(expected);
  const sure = answerConfidence("low", reader(client, "high"), visibility);
  expect(sure).toBe("low");
});
