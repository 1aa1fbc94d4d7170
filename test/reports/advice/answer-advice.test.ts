import { describe, expect, test } from "bun:test";
import { adviceFor, plant } from "../../support/made-advice.ts";
import { alertRecord } from "../../support/made-records.ts";

describe("answerAdvice", () => {
  test("few large answers: a limit that spares them", () => {
    const calls = Array.from({ length: 19 }, () => plant({ output_tokens: 1_500 }));
    expect(adviceFor(...calls, plant({ output_tokens: 10_000 }))).toMatchObject([
      {
        kind: "large_answers",
        tool: "plant",
        tokens: 8_000,
        limit: 2_000,
        shortened_calls: 1,
        calls: 20,
      },
    ]);
    const refused = plant({ output_tokens: 10_000, outcome: "refused" });
    expect(adviceFor(...calls, refused)).toEqual([]);
  });

  test("repeated calls, duplicate text, JSON with spaces, structure, and answers that were cut", () => {
    const overhead = {
      user_only_tokens: 0,
      preamble_tokens: 0,
      json_tokens: 900,
      minified_tokens: 600,
      structure_ratio: 0.9,
    };
    const call = plant({ output_tokens: 900, arguments_sha256: "a", duplicate_tokens: 600 });
    const kinds = adviceFor(
      call,
      { ...call, overhead },
      alertRecord({ alert: "would_truncate", tool: "plant" }),
    ).map(({ kind, tokens }) => [kind, tokens]);
    expect(kinds).toEqual([
      ["duplicate_text", 1_200],
      ["repeated_calls", 900],
      ["json_structure", 810],
      ["compact_json", 300],
      ["cut_answers", 0],
    ]);
    expect(adviceFor({ ...call, overhead: { ...overhead, minified_tokens: 300 } })).toContainEqual(
      expect.objectContaining({ kind: "compact_json", tokens: 600 }),
    );
  });
});
