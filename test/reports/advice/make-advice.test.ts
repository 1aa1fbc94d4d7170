import { describe, expect, test } from "bun:test";
import { adviceTokensMin } from "#limits.ts";
import { makeAdvice } from "#reports/advice/make-advice.ts";
import { adviceFor, plant, sessions, twoTools, usageOf } from "../../support/made-advice.ts";

describe("makeAdvice", () => {
  test("less than is worth a change is not advised", () => {
    const tokens = adviceTokensMin - 1;
    const call = plant({ output_tokens: 10, arguments_sha256: "a", duplicate_tokens: tokens });
    expect(adviceFor(call)).toEqual([]);
  });

  test("advice for each session counts for all sessions, and the most tokens come first", () => {
    const quiet = usageOf("quiet", [...sessions(5), twoTools()]);
    const loud = usageOf("loud", [plant({ output_tokens: 10, duplicate_tokens: 14_000 })]);
    const louder = usageOf("louder", [plant({ output_tokens: 10, duplicate_tokens: 16_000 })]);
    expect(makeAdvice([loud, quiet, louder]).map(({ server }) => server)).toEqual([
      "louder",
      "quiet",
      "loud",
    ]);
  });
});
