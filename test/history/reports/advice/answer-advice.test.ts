import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, integer, property, record as anyOf } from "fast-check";
import { adviceFor, foldOf, plant, twoTools } from "../../../support/made-advice.ts";
import type { BudgetState, MeterRecord } from "#records/record.ts";
import {
  alertRecord,
  breachRecord,
  endRecord,
  sessionRecord,
  toolDefinition,
} from "../../../support/made-records.ts";
import { adviceTokensMin } from "#history/reports/advice/advice.ts";
import { refusalTokensMax } from "#history/reports/replay/budget-replay.ts";

const rest = (output_tokens: number) => plant({ tool: "water", output_tokens });

const same = (output_tokens: number, tool = "plant") =>
  plant({ tool, output_tokens, arguments_sha256: "a".repeat(64) });
const inRow = (calls: number, tokens: number, tool?: string) =>
  Array.from({ length: calls }, () => same(tokens, tool));

describe("advice about answers", () => {
  test("few large answers: the limit that saves most", () => {
    const calls = Array.from({ length: 19 }, () => plant({ output_tokens: 1_000 }));
    expect(adviceFor(...calls, plant({ output_tokens: 10_000 }))).toMatchObject([
      {
        kind: "large_answers",
        tool: "plant",
        tokens: 9_000,
        limit: 1_000,
        shortened_calls: 1,
        calls: 20,
      },
    ]);
    const refused = plant({ output_tokens: 10_000, outcome: "refused" });
    expect(adviceFor(...calls, refused)).toEqual([]);
  });

  test("many large answers: the highest limit that saves a tenth of the tool's tokens, and the tool's parameters", () => {
    const calls = Array.from({ length: 12 }, () => plant({ output_tokens: 6_000 }));
    const large = { kind: "large_answers", tool: "plant", limit: 5_000, shortened_calls: 12 };
    for (const others of [0, 900_000]) {
      const [advice] = adviceFor(...calls, rest(others));
      const share = 72_000 / (72_000 + others);
      expect(advice).toMatchObject({ ...large, calls: 12, tokens: 12_000, share });
      expect(advice).not.toHaveProperty("parameters");
    }
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

  test("repeated calls: the savings of --max-repeats 2 over all tools, minus the refusals", () => {
    // Calls three to five of plant, and the third of water, whose refusal costs more than its answer.
    const calls = [...inRow(5, 500), ...inRow(3, 20, "water")];
    expect(adviceFor(...calls)).toEqual([
      {
        kind: "repeated_calls",
        server: "garden",
        tool: null,
        calls: 4,
        tokens: 3 * (500 - refusalTokensMax) + 20 - refusalTokensMax,
        saved_tokens: 3 * (500 - refusalTokensMax) + 20 - refusalTokensMax,
        per: "period",
      },
    ]);
  });

  test("property: advice for a period never saves more than it would alone, nor more than all tokens", () => {
    const call = anyOf({
      tool: constantFrom("plant", "water", "dig"),
      output_tokens: integer({ min: 0, max: 30_000 }),
      duplicate_tokens: integer({ min: 0, max: 3_000 }),
      arguments_sha256: constantFrom("a".repeat(64), "b".repeat(64)),
      repeats: integer({ min: 1, max: 6 }),
    });
    assert(
      property(array(call, { minLength: 1, maxLength: 12 }), (madeCalls) => {
        const calls = madeCalls.flatMap(({ repeats, ...facts }) =>
          Array.from({ length: repeats }, () => plant(facts)),
        );
        const { advice, context_tokens: all } = foldOf(
          calls.map((made, seq) => ({ ...made, seq })),
        ).advise();
        for (const { per, tokens, saved_tokens: saved } of advice)
          if (per === "period") expect(saved).toBeLessThanOrEqual(tokens);
        const total = advice.reduce((sum, { saved_tokens: saved }) => sum + saved, 0);
        expect(total).toBeLessThanOrEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  test("repeated calls that are not adjacent, or whose refusals cost more, are reported without a limit", () => {
    const apart = Array.from({ length: 4 }, () => [same(300), plant()]).flat();
    expect(adviceFor(...apart)).toMatchObject([
      { kind: "repeats_apart", tool: "plant", calls: 3, calls_in_row: 0, answer_tokens: 900 },
    ]);
    expect(adviceFor(...inRow(12, refusalTokensMax))).toMatchObject([
      { kind: "repeats_apart", calls: 11, calls_in_row: 11, answer_tokens: 11 * refusalTokensMax },
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
      ["cut_answers", 0],
      ["repeats_apart", 0],
    ]);
    const once = { ...call, overhead: { ...overhead, minified_tokens: 300 }, duplicate_tokens: 0 };
    expect(adviceFor(once).map(({ kind, tokens }) => [kind, tokens])).toEqual([
      ["json_structure", 810],
    ]);
    const compact = { ...once, overhead: { ...once.overhead, structure_ratio: 0 } };
    const advise = (minified_tokens: number) =>
      adviceFor({ ...compact, overhead: { ...compact.overhead, minified_tokens } });
    expect(advise(900 - adviceTokensMin)).toMatchObject([{ kind: "compact_json", tokens: 500 }]);
    expect(advise(901 - adviceTokensMin)).toEqual([]);
  });
});

const budget: BudgetState = {
  budget: "plant=5k:truncate",
  tool: "plant",
  limit: 5_000,
  unit: "tokens",
  per: "call",
  action: "truncate",
  spent: 5_000,
  breaches: 2,
};

/** Sessions on consecutive days, the second with `last`. */
function twoDays(
  calls: readonly MeterRecord[],
  last: readonly MeterRecord[],
  clients: readonly [string, string] = ["host", "host"],
) {
  const days = ["2026-09-01", "2026-09-02"].map((day, at) => ({
    session_id: `s${at}`,
    ts: `${day}T12:00:00.000Z`,
  }));
  const [first = {}, second = {}] = days;
  return adviceFor(
    sessionRecord({ ...first, client_name: clients[0] }),
    ...calls.map((record) => ({ ...record, ...first })),
    endRecord(first),
    sessionRecord({ ...second, client_name: clients[1] }),
    plant(second),
    ...last.map((record) => ({ ...record, ...second })),
  ).map(({ kind }) => kind);
}

describe("advice that was followed", () => {
  const large = Array.from({ length: 12 }, () => plant({ output_tokens: 6_000 }));

  test("a budget in the newest session, which limits the tool as advised, is not advised again", () => {
    expect(twoDays(large, [endRecord({ budgets: [budget] })])).toEqual([]);
    const everyTool = { ...budget, budget: "2k:spill", tool: null, limit: 2_000, action: "spill" };
    expect(twoDays(large, [endRecord({ budgets: [everyTool] })])).toEqual([]);
    for (const tool of ["pl*", "*", "plan?"]) {
      expect(twoDays(large, [endRecord({ budgets: [{ ...budget, tool }] })])).toEqual([]);
    }
    const looser = { ...budget, limit: 50_000 };
    for (const budgets of [
      [budget, looser],
      [looser, budget],
    ]) {
      expect(twoDays(large, [endRecord({ budgets })])).toEqual([]);
      const breaches = budgets.map((made) =>
        breachRecord({ ...made, tool: "plant", is_enforced: true }),
      );
      expect(twoDays(large, breaches)).toEqual([]);
    }
    for (const other of [
      { ...budget, tool: "wat*" },
      { ...budget, tool: "water" },
      { ...budget, limit: 5_001 },
      { ...budget, per: "session" },
      { ...budget, action: "warn" },
    ]) {
      expect(twoDays(large, [endRecord({ budgets: [other] })])).toEqual(["large_answers"]);
    }
  });

  test("a followed limit that would be advised is listed instead", () => {
    const numbered = [...large, endRecord({ session_id: "s0", budgets: [budget] })].map(
      (record, seq) => ({ ...record, seq }),
    );
    const { advice, limitsInPlace } = foldOf(numbered).advise();
    expect(advice).toEqual([]);
    expect(limitsInPlace).toEqual([{ server: "garden", tool: "plant", limit: 5_000 }]);
    expect(foldOf(numbered).advise({ tools: ["water"] }).limitsInPlace).toEqual([]);
    expect(foldOf(numbered.slice(11)).advise().limitsInPlace).toEqual([]);
  });

  test("the effect of a followed limit is the mean tokens of a call with and without it", () => {
    const small = large.map((call) => ({ ...call, output_tokens: 4_000, total_tokens: 4_000 }));
    const days = (limited: readonly MeterRecord[], tool = "plant") =>
      foldOf([
        ...large.map((record, seq) => ({ ...record, session_id: "s0", seq })),
        ...[...limited, endRecord({ budgets: [{ ...budget, tool }] })].map((record, seq) => {
          return { ...record, session_id: "s1", seq };
        }),
      ]).advise().limitsInPlace;
    const [{ effect } = { effect: undefined }] = days(small);
    expect(effect?.limited).toBe(4_000);
    expect(effect?.unlimited).toBeGreaterThan(5_999);
    expect(days(small, "pl*")).toEqual(days(small));
    expect(days(small.slice(3))).toMatchObject([{ tool: "plant", effect: undefined }]);
  });

  test("a limit in the settings of all clients that called is not advised, although no session has used it", () => {
    const calls = [...large, ...inRow(5, 500, "water")];
    const fold = (...names: readonly string[]) =>
      foldOf(
        names.flatMap((client_name, at) => {
          const session_id = `s${at}`;
          return [sessionRecord({ session_id, client_name }), ...calls].map((made, seq) => {
            return { ...made, session_id, seq };
          });
        }),
      );
    const entry = { entryName: "garden", isRemote: false };
    const limits = {
      ...entry,
      client: "codex",
      server: "garden",
      budgets: [budget],
      refusesRepeats: true,
    };
    type Kinds = readonly (readonly string[])[];
    const kinds = (names: readonly string[], ...configured: (typeof limits)[]): Kinds => {
      const advised = fold(...names).advise({}, configured);
      return [advised.advice, advised.configured].map((list) => list.map(({ kind }) => kind));
    };
    const advised = ["large_answers", "repeated_calls"];
    expect(kinds(["codex-mcp-client"])).toEqual([advised, []]);
    expect(kinds(["codex-mcp-client"], limits)).toEqual([[], advised]);
    expect(kinds(["codex-mcp-client"], { ...limits, server: "shed" })).toEqual([advised, []]);
    expect(kinds(["codex-mcp-client", "cursor"], limits)).toEqual([advised, []]);
    const several = [
      { ...budget, tool: "pl*" },
      { ...budget, tool: "pl*", limit: 50_000 },
    ];
    expect(kinds(["codex-mcp-client"], { ...limits, budgets: several })).toEqual([[], advised]);
    const loose = { ...limits, budgets: [{ ...budget, limit: 50_000 }], refusesRepeats: false };
    expect(kinds(["codex-mcp-client"], loose)).toEqual([advised, []]);
  });

  test("a breach shows the budget of a session that was killed", () => {
    const breach = breachRecord({ ...budget, tool: "plant", is_enforced: true });
    expect(twoDays(large, [breach])).toEqual([]);
    expect(twoDays(large, [{ ...breach, is_enforced: false }])).toEqual(["large_answers"]);
  });

  test("a budget of an older session, or of another client only, counts as not followed", () => {
    const first = [...large, breachRecord({ ...budget, tool: "plant", is_enforced: true })];
    expect(twoDays(first, [endRecord()])).toEqual(["large_answers"]);
    const end = endRecord({ budgets: [budget] });
    expect(twoDays(large, [end], ["host", "guest"])).toEqual(["large_answers"]);
  });

  test("repeats that the newest session refused are not advised again", () => {
    const repeats = inRow(5, 500);
    const refusal = breachRecord({ budget: "max-repeats 2", unit: "calls", per: "session" });
    expect(twoDays(repeats, [])).toEqual(["repeated_calls"]);
    expect(twoDays(repeats, [refusal])).toEqual([]);
    expect(twoDays([...repeats, refusal], repeats)).toEqual(["repeated_calls"]);
  });
});

test("a client that cuts errors shows less of a shortened structure than the limit, which saves more", () => {
  const session = sessionRecord({ session_id: "s0", client_name: "claude-code" });
  const structured = { output_tokens: 6_000, wire_tokens: 12_000, duplicate_tokens: 6_000 };
  const calls = Array.from({ length: 12 }, () => plant(structured));
  const [advice] = adviceFor(session, ...calls);
  const shared = { kind: "large_answers", limit: 5_000, shortened_calls: 12 };
  expect(advice).toMatchObject({ ...shared, tokens: 12 * (6_000 - 2_900), left_tokens: 2_900 });
  const texts = calls.map((call) => ({ ...call, wire_tokens: 6_000, duplicate_tokens: 0 }));
  const [plain] = adviceFor(session, ...texts);
  expect(plain).toMatchObject({ ...shared, tokens: 12 * 1_000 });
  expect(plain).not.toHaveProperty("left_tokens");
  const [opencode] = adviceFor({ ...session, client_name: "opencode" }, ...calls);
  expect(opencode).not.toHaveProperty("left_tokens");
});
