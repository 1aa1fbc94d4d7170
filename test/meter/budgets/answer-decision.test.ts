import { describe, expect, test } from "bun:test";
import { decideAnswer } from "#meter/budgets/answer-decision.ts";
import { reserveAll } from "#meter/budgets/request-decision.ts";
import { type Closed, plainCarrier } from "#meter/calls/call.ts";
import { accountsFor, arrivalOf, contextAt, echo } from "../../support/decisions.ts";

function decided(
  spec: string,
  characters: number,
  told: { bytes?: number; hasPassed?: boolean; isSettled?: boolean; keep?: () => string } = {},
) {
  const call = echo();
  const count = { tokens: 3, precision: "exactly" } as const;
  const request = { call, tool: "echo", count, hasPassed: false };
  const { grant } = reserveAll(accountsFor(...spec.split(" ")), request, contextAt(), []);
  if (!grant) throw new Error("there is room for the request");
  const result = { content: [{ type: "text", text: "x".repeat(characters) }] };
  const { bytes = characters + 50, hasPassed = false, isSettled = true } = told;
  const answer = { arrival: arrivalOf(bytes, hasPassed), carrier: plainCarrier };
  const closing = { outcome: "ok", result, endedMs: 1 } as const;
  const closed: Closed = { kind: "closed", call, closing, answer };
  const keep = told.keep ?? (() => undefined);
  return { decision: decideAnswer(closed, grant, contextAt({ isSettled }), keep), grant };
}

describe("decideAnswer", () => {
  test("forwards uncounted bytes that cannot exceed the limit", () => {
    const { decision, grant } = decided("1000", 300, { isSettled: false });
    expect([decision.kind, grant.mostTokens]).toEqual(["forward", 3 + 300]);
  });

  test("asks for everything to be counted before it counts the answer", () => {
    expect(decided("100", 300, { isSettled: false }).decision.kind).toBe("unsettled");
  });

  test("forwards an answer at the limit, refuses one token more", () => {
    expect(decided("103", 300).decision.kind).toBe("forward");
    const refusal = { kind: "refuse", facts: { reason: "answer_over_budget", tokens: 104 } };
    expect(decided("103", 301).decision).toMatchObject(refusal);
  });

  test("replaces an answer that its action makes smaller", () => {
    const { decision } = decided("103:truncate", 3_000);
    expect(decision.kind).toBe("replace");
    const kept = decided("203:spill", 3_000, { keep: () => "/spills/1" }).decision;
    expect(JSON.stringify(kept)).toContain("/spills/1");
  });

  test.each(["203:truncate 103", "103 203:truncate", "203:truncate 5:truncate"])(
    "tells the cost of the server's answer: %s",
    (specs) => {
      const facts = { tokens: 1_003, precision: "exactly" };
      const { decision } = decided(specs, 3_000);
      expect(decision).toMatchObject({ kind: "refuse", facts });
      const records = "records" in decision ? decision.records : [];
      expect(records.map((record) => "tokens" in record && record.tokens)).toEqual(
        records.map(() => 1_003),
      );
    },
  );

  test("refuses an answer that its action cannot keep", () => {
    expect(decided("203:spill", 3_000).decision.kind).toBe("refuse");
  });

  test("charges an answer that has passed, and forwards it", () => {
    const { decision, grant } = decided("100/session", 300, { hasPassed: true });
    expect(decision).toMatchObject({ kind: "forward", records: [] });
    expect(grant.claims[0]?.hold?.amount).toBe(grant.mostTokens);
  });
});

test("the amount spent before a call leaves out the share of the call itself", () => {
  const { decision } = decided("100/session", 900);
  expect(decision).toMatchObject({ kind: "refuse", records: [{ type: "breach", spent: 0 }] });
});
