import { describe, expect, test } from "bun:test";
import { adviceTokensMin } from "#limits/records.ts";
import { adviceFor, plant, sessions, twoTools } from "../../support/made-advice.ts";

describe("makeAdvice", () => {
  test("less than is worth a change is not advised", () => {
    const tokens = adviceTokensMin - 1;
    const call = plant({ output_tokens: 10, arguments_sha256: "a", duplicate_tokens: tokens });
    expect(adviceFor(call)).toEqual([]);
  });

  test("advice for each session counts for all sessions, and the most tokens come first", () => {
    const records = [
      ...[...sessions(5), twoTools()].map((record) => ({ ...record, server: "quiet" })),
      plant({ server: "loud", output_tokens: 10, duplicate_tokens: 14_000 }),
      plant({ server: "louder", output_tokens: 10, duplicate_tokens: 16_000 }),
    ];
    expect(adviceFor(...records).map(({ server }) => server)).toEqual(["louder", "quiet", "loud"]);
  });
});
