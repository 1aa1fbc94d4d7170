import { describe, expect, test } from "bun:test";
import { reserveAll } from "#meter/budgets/request-decision.ts";
import { type AwaitedGrant, decideUnreadable } from "#meter/budgets/answer-decision.ts";
import { accountsFor, arrivalOf, contextAt, echo } from "../../support/decisions.ts";

function awaited(...specs: readonly string[]): AwaitedGrant {
  const call = echo();
  const count = { tokens: 3, precision: "exactly" } as const;
  const request = { call, tool: "echo", count, hasPassed: false };
  const { grant } = reserveAll(accountsFor(...specs), request, contextAt(), []);
  if (!grant) throw new Error("there is room for the request");
  return [grant, call];
}

const line = (bytes: number, hasPassed = false) =>
  ({ kind: "unreadable", arrival: arrivalOf(bytes, hasPassed) }) as const;

const chargedTo = ([grant]: AwaitedGrant): number[] =>
  grant.claims.map(({ extraAmount }) => extraAmount);

describe("decideUnreadable", () => {
  test("forwards where no answer is awaited", () => {
    expect(decideUnreadable(line(1_000), [], contextAt()).kind).toBe("forward");
  });

  test("charges a limit per call and a counter, and warns about neither", () => {
    const one = awaited("300", "1k/session", "500/session:warn", "9calls/session");
    expect(decideUnreadable(line(100), [one], contextAt()).kind).toBe("forward");
    expect(chargedTo(one)).toEqual([200, 200, 0, 0]);
  });

  test("charges a counter once, however many calls wait under it", () => {
    const one = awaited("1k/session");
    expect(decideUnreadable(line(100), [one, one, one], contextAt()).kind).toBe("forward");
    expect(chargedTo(one)).toEqual([200]);
  });

  test("withholds without room in one of them, and then charges none", () => {
    const one = awaited("1k/session", "300");
    const decision = decideUnreadable(line(200), [one], contextAt());
    expect(decision).toMatchObject({
      kind: "refuse",
      records: [{ type: "breach", tokens: 400, did_run: true, is_enforced: true }],
    });
    expect(chargedTo(one)).toEqual([0, 0]);
    expect(decideUnreadable(line(200), [one], contextAt({ isSettled: false })).kind).toBe(
      "unsettled",
    );
  });

  test("charges a line that has passed in any case", () => {
    const one = awaited("300");
    expect(decideUnreadable(line(200, true), [one], contextAt()).kind).toBe("forward");
    expect(chargedTo(one)).toEqual([400]);
  });
});
