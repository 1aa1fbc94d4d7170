import { describe, expect, test } from "bun:test";
import { Gate } from "#meter/budgets/gate.ts";
import { Decider } from "#meter/session/decider.ts";
import { Journal } from "#meter/session/journal.ts";
import { echo, gateOf } from "../../support/decisions.ts";
import { meterOptions, sha256 } from "../../support/play.ts";

const at = { wallMs: Date.UTC(2026, 8, 1, 12), monoMs: 0 };

function decider(...specs: readonly string[]): Decider {
  const gate = new Gate(gateOf(specs), "garden", sha256);
  return new Decider(
    specs.length === 0 ? undefined : gate,
    new Journal(meterOptions(), gate),
    undefined,
  );
}

function requested() {
  const bytes = new Uint8Array(10);
  const line = { bytes, size: 10, skim: undefined };
  const arrival = {
    from: "client",
    line,
    item: undefined,
    size: 10,
    hasPassed: false,
    atMs: 0,
  } as const;
  return { kind: "requested", call: echo(), arrival } as const;
}

describe("Decider", () => {
  test("forwards everything without a gate", () => {
    expect(decider().decide(requested(), at).kind).toBe("forward");
  });

  test("asks the gate about priced calls of the client", () => {
    const one = decider("1calls/session");
    expect([one.decide(requested(), at).kind, one.decide(requested(), at).kind]).toEqual([
      "forward",
      "refuse",
    ]);
  });

  test("lets a request be held until the client sends no more", () => {
    const one = decider("1calls/minute:throttle");
    one.decide(requested(), { ...at, wallMs: at.wallMs + 30_000 });
    const later = { ...at, wallMs: at.wallMs + 30_000 };
    expect(one.decide(requested(), later).kind).toBe("hold");
    one.mayHoldRequests = false;
    expect(one.decide(requested(), later).kind).toBe("refuse");
  });
});
