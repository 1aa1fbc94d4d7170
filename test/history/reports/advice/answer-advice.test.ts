import { describe, expect, test } from "bun:test";
import { refusalTokensMax } from "#kit/limits.ts";
import { adviceFor, plant, twoTools } from "../../../support/made-advice.ts";
import { alertRecord, toolDefinition } from "../../../support/made-records.ts";

const rest = (output_tokens: number) => plant({ tool: "water", output_tokens });

const same = (output_tokens: number, tool = "plant") =>
  plant({ tool, output_tokens, arguments_sha256: "a".repeat(64) });
const inRow = (calls: number, tokens: number, tool?: string) =>
  Array.from({ length: calls }, () => same(tokens, tool));

describe("answerAdvice", () => {
  test("few large answers: a limit that spares them", () => {
    // Another tool's call, so that these do not fill the context.
    const calls = Array.from({ length: 19 }, () => plant({ output_tokens: 1_500 }));
    calls.push(plant({ tool: "water", output_tokens: 900_000 }));
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

  test("a tool that fills the context: the highest limit that spares a tenth, and its parameters", () => {
    const calls = Array.from({ length: 12 }, () => plant({ output_tokens: 6_000 }));
    const share = 72_000 / 288_000;
    const large = { kind: "large_answers", tool: "plant", limit: 5_000, shortened_calls: 12 };
    const [advice] = adviceFor(...calls, rest(216_000));
    expect(advice).toMatchObject({ ...large, calls: 12, tokens: 12_000, share });
    expect(advice).not.toHaveProperty("parameters");
    expect(adviceFor(...calls, rest(216_001))).toEqual([]);
    expect(adviceFor(...calls.slice(3), rest(100))).toEqual([]);
    const tools = [{ ...toolDefinition("plant", 1), narrowing_parameters: ["head", "page.limit"] }];
    const list = twoTools({ tools, total_tokens: 1, resident_tokens: 1 });
    expect(adviceFor(...calls, list)).toMatchObject([
      { ...large, parameters: ["head", "page.limit"] },
    ]);
    const cut = alertRecord({ session_id: "s0", alert: "would_spill", tool: "plant" });
    expect(adviceFor(plant(), list, cut)).toMatchObject([
      { kind: "cut_answers", calls: 1, parameters: ["head", "page.limit"] },
    ]);
  });

  test("repeated calls: those that --max-repeats 2 refuses, over all tools, less the refusals", () => {
    // Calls three to five of plant, and the third of water, whose refusal costs more than its answer.
    const calls = [...inRow(5, 500), ...inRow(3, 20, "water")];
    expect(adviceFor(...calls)).toEqual([
      {
        kind: "repeated_calls",
        server: "garden",
        tool: null,
        calls: 4,
        tokens: 3 * (500 - refusalTokensMax) + 20 - refusalTokensMax,
        saved_tokens: 3 * (500 - refusalTokensMax),
        per: "period",
      },
    ]);
  });

  test("repeated calls that do not follow each other, or whose refusals cost more, are a fact without a limit", () => {
    const apart = Array.from({ length: 4 }, () => [same(300), plant()]).flat();
    expect(adviceFor(...apart)).toMatchObject([
      { kind: "repeats_apart", tool: "plant", calls: 3, answer_tokens: 900, tokens: 0 },
    ]);
    expect(adviceFor(...inRow(12, refusalTokensMax))).toMatchObject([
      { kind: "repeats_apart", calls: 11, answer_tokens: 11 * refusalTokensMax },
    ]);
  });

  test("repeated calls, duplicate text, JSON with spaces, structure, and answers that were cut", () => {
    const overhead = {
      user_only_tokens: 0,
      preamble_tokens: 0,
      json_tokens: 900,
      minified_tokens: 600,
      structure_ratio: 0.9,
    };
    const call = plant({
      output_tokens: 900,
      arguments_sha256: "a".repeat(64),
      duplicate_tokens: 600,
    });
    const kinds = adviceFor(
      call,
      { ...call, overhead },
      alertRecord({ session_id: "s0", alert: "would_truncate", tool: "plant" }),
    ).map(({ kind, tokens }) => [kind, tokens]);
    expect(kinds).toEqual([
      ["duplicate_text", 1_200],
      ["json_structure", 810],
      ["compact_json", 300],
      ["cut_answers", 0],
      ["repeats_apart", 0],
    ]);
    expect(adviceFor({ ...call, overhead: { ...overhead, minified_tokens: 300 } })).toContainEqual(
      expect.objectContaining({ kind: "compact_json", tokens: 600 }),
    );
  });
});
