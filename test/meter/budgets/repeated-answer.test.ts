import { describe, expect, test } from "bun:test";
import { decideRepeated } from "#meter/budgets/gate.ts";
import { reserveAll } from "#meter/budgets/request-decision.ts";
import { plainCarrier } from "#meter/calls/call.ts";
import { accountsFor, arrivalOf, contextAt, echo } from "../../support/decisions.ts";

const keepNothing = () => undefined;

function scene(spec: string) {
  const call = echo();
  const count = { tokens: 3, precision: "exactly" } as const;
  const accounts = accountsFor(spec);
  const request = { call, tool: "echo", count, hasPassed: false };
  const { grant } = reserveAll(accounts, request, contextAt(), []);
  if (!grant) throw new Error("there is room for the request");
  const again = (characters: number) => {
    const result = { content: [{ type: "text", text: "x".repeat(characters) }] };
    const closing = { outcome: "ok", result, endedMs: 1 } as const;
    const answer = { arrival: arrivalOf(characters + 50, false), carrier: plainCarrier };
    return decideRepeated(
      { kind: "repeated", call, closing, answer },
      grant,
      contextAt(),
      keepNothing,
    );
  };
  const taken = () =>
    accounts.map(
      ({ stored: kept }) => kept?.store.readStanding(kept.counter, contextAt().nowMs).taken ?? 0,
    );
  return { again, taken };
}

describe("decideRepeated", () => {
  test("charges each further answer, until there is no room", () => {
    const { again, taken } = scene("1000/session");
    expect([again(600).kind, again(600).kind]).toEqual(["forward", "forward"]);
    expect(taken()[0]).toBeGreaterThan(400);
    expect(again(1_800).kind).toBe("refuse");
    expect(taken()[0]).toBeLessThanOrEqual(1_000);
  });

  test("holds each to a limit per call", () => {
    const { again } = scene("100");
    expect([again(90).kind, again(900).kind, again(90).kind]).toEqual([
      "forward",
      "refuse",
      "forward",
    ]);
  });

  test("does not charge an account that only warns", () => {
    const { again, taken } = scene("10/session:warn");
    expect(again(900).kind).toBe("forward");
    expect(taken()).toEqual([3]);
  });
});
