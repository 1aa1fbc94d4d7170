import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { GatedSession } from "../../support/gated-session.ts";
import { call, notification, request, textResult } from "../../support/rpc.ts";

const answer = (id: number, tokens: number) => textResult(id, "x".repeat(tokens * 3));
const ask = (id: number) => call(id, "echo");
const asked = 3;

const spentOf = (session: GatedSession): number | undefined => {
  const end = session.end().records.at(-1);
  return end?.type === "end" ? end.budgets[0]?.spent : undefined;
};

const refusals = (session: GatedSession) =>
  session.toClient.filter((line) => line.includes('"isError":true'));

// Of a server that answers each call with as many tokens; the numbers of calls that ran.
function listRan(budget: string, sizes: readonly number[]): readonly number[] {
  const session = new GatedSession([budget]);
  for (const [at, size] of sizes.entries()) {
    session.client(ask(at + 1));
    if (session.toServer.some((line) => line.includes(`"id":${at + 1},`)))
      session.server(answer(at + 1, size - asked));
  }
  return session.toServer.map((line) => JSON.parse(line).id);
}

test("a budget that warns: each call beyond it is one breach, with all that it cost", () => {
  for (const [budget, uses] of [
    ["50/session:warn", ["0+100", "100+60"]],
    ["echo=50:warn", ["0+100", "0+60"]],
    ["1calls/session:warn", ["1+60", "2+10"]],
  ] as const) {
    const session = new GatedSession([budget]);
    const sizes = budget.startsWith("1calls") ? [100, 60, 10] : [100, 60];
    for (const [at, size] of sizes.entries())
      session.client(ask(at + 1)).server(answer(at + 1, size - asked));
    session.end();
    const breaches = session.records.flatMap((one) => (one.type === "breach" ? [one] : []));
    const shown = breaches.map(({ spent, tokens }) => `${spent}+${tokens}`);
    expect([budget, shown.length]).toEqual([budget, uses.length]);
    expect(breaches.every((one) => one.did_run && !one.is_enforced)).toBe(true);
    expect([budget, shown]).toEqual([budget, [...uses]]);
  }
});

describe("a budget with error", () => {
  test("per call: an answer at the limit passes, one token more is withheld and told", () => {
    const session = new GatedSession(["echo=100"]);
    session.client(ask(1), ask(2)).server(answer(1, 100 - asked), answer(2, 100 - asked + 1));
    expect(session.toClient[0]).toBe(JSON.stringify(answer(1, 100 - asked)));
    expect(session.toClient[1]).toContain("ran, but its answer was withheld");
    session.end();
    const outcomes = session.records.flatMap((one) => (one.type === "call" ? [one.outcome] : []));
    expect(outcomes).toEqual(["ok", "refused"]);
  });

  test("per session: a call that finds the counter empty never reaches the server", () => {
    const session = new GatedSession(["50/session"]);
    session
      .client(ask(1))
      .server(answer(1, 50 - asked))
      .client(ask(2));
    expect(session.toServer).toHaveLength(1);
    expect(session.toClient[1]).toContain("was not run");
    expect(spentOf(session)).toBe(50);
  });

  test("a call whose usual size no longer fits is refused before it runs", () => {
    const sizes = Array.from({ length: 20 }, () => 100);
    expect(listRan("450/session", sizes)).toEqual([1, 2, 3, 4]);
    expect(listRan("450/day", sizes)).toEqual([1, 2, 3, 4]);
  });

  test("the usual size is the median of at least three, so one large answer changes nothing", () => {
    expect(listRan("400/session", [10, 300, 10, 10, 60, 10])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(listRan("250/session", [100, 100, 100, 100])).toEqual([1, 2, 3]);
  });

  test("a call that never fits may be narrowed: it runs, and its answer is withheld", () => {
    expect(listRan("50/session", [100, 100, 100, 100, 20])).toEqual([1, 2, 3, 4, 5]);
    expect(listRan("50", [100, 100, 100, 100, 20])).toEqual([1, 2, 3, 4, 5]);
  });

  test("an action that shortens answers fills the budget", () => {
    expect(listRan("450/session:truncate", [100, 100, 100, 100, 100])).toEqual([1, 2, 3, 4, 5]);
  });

  test("the refusal names what calls usually take", () => {
    const session = new GatedSession(["450/session"]);
    for (const id of [1, 2, 3, 4]) session.client(ask(id)).server(answer(id, 100 - asked));
    session.client(ask(5));
    expect(session.toClient[4]).toContain(
      "has no room for it: 400 are spent; its calls usually take 100. Continue without this call",
    );
  });

  test("a cancelled call gives back what it kept", () => {
    const session = new GatedSession(["50/session"]);
    session.client(ask(1), notification("notifications/cancelled", { requestId: 1 }));
    session.client(ask(2)).server(answer(2, 50 - asked));
    expect(refusals(session)).toEqual([]);
    expect(spentOf(session)).toBe(50);
  });

  test("a limit of 0 forbids a tool, and only that one", () => {
    const session = new GatedSession(["ec?o=0", "50/session"]);
    session.client(ask(1), call(2, "other")).server(answer(2, 1));
    expect(session.toServer).toHaveLength(1);
    expect(session.toClient[0]).toContain(
      "echo was not run. It is forbidden by a configured limit. Continue without it.",
    );
    session.end();
    const breaches = session.records.filter(({ type }) => type === "breach");
    expect(breaches).toMatchObject([{ budget: "ec?o=0", did_run: false, is_enforced: true }]);
  });

  test("as rpc is an error with what programs need", () => {
    const session = new GatedSession(["echo=10"], { errorForm: "rpc" });
    session.client(ask(1)).server(answer(1, 50));
    expect(JSON.parse(session.toClient[0] ?? "")).toMatchObject({
      id: 1,
      error: {
        code: -31_900,
        data: { source: "mcp-meter", tool: "echo", limit: 10, per: "call", tokens: 53 },
      },
    });
  });

  test("never gates a handshake, a list, a ping or a notification", () => {
    const session = new GatedSession(["1/session"]);
    session.client(
      request(1, "initialize"),
      request(2, "tools/list"),
      request(3, "ping"),
      notification("x"),
    );
    expect(session.toServer).toHaveLength(4);
  });
});

test("identical calls in a row are refused beyond their number", () => {
  const session = new GatedSession([], { repeatsMax: 2 });
  for (const id of [1, 2, 3]) session.client(ask(id)).server(answer(id, 1));
  expect(session.toServer).toHaveLength(2);
  expect(session.toClient.some((line) => line.includes("called 2 times in a row"))).toBe(true);
});

describe("whatever is called in whatever order,", () => {
  type Act = readonly ["ask" | "answer" | "cancel", size: number];
  const act: fc.Arbitrary<Act> = fc.tuple(
    fc.constantFrom("ask", "ask", "answer", "answer", "cancel"),
    fc.nat({ max: 60 }),
  );

  test("a ceiling is a ceiling: what is delivered never exceeds it, and every request is answered once", () => {
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 40 }),
        fc.integer({ min: 1, max: 200 }),
        (acts, limit) => {
          const session = new GatedSession([`${limit}/session`]);
          const open: number[] = [];
          let next = 0;
          for (const [what, size] of acts) {
            const id = open[size % Math.max(1, open.length)];
            if (what === "ask") {
              next += 1;
              const { length } = session.toServer;
              session.client(ask(next));
              if (session.toServer.length > length) open.push(next);
            } else if (id !== undefined) {
              open.splice(open.indexOf(id), 1);
              if (what === "answer") session.server(answer(id, size));
              else session.client(notification("notifications/cancelled", { requestId: id }));
            }
          }
          session.end();
          const delivered = session.records.reduce(
            (sum, record) =>
              sum + (record.type === "call" && record.outcome === "ok" ? record.total_tokens : 0),
            0,
          );
          expect(delivered).toBeLessThanOrEqual(limit);
          const ids = session.toClient.map((line): unknown =>
            Reflect.get(Object(JSON.parse(line)), "id"),
          );
          expect(new Set(ids).size).toBe(ids.length);
          const calls = session.records.filter(({ type }) => type === "call");
          expect(calls).toHaveLength(next);
        },
      ),
    );
  });
});
