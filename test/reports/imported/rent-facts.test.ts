import { expect, test } from "bun:test";
import type { ImportedRecord } from "#records/imported-record.ts";
import { costedConversation } from "#reports/imported/logged-cost.ts";
import { rentFacts } from "#reports/imported/rent-facts.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { conversationOf, costPlan } from "./cost-plan.ts";
import { call, conversation, noon, threeTurns, toolList } from "./made-history.ts";

const zone = new TimeZone("UTC");

function facts(records: readonly ImportedRecord[], hasPrices = true) {
  const its = conversationOf([conversation, ...records]);
  return rentFacts(its, costedConversation(its, costPlan()), { zone, hasPrices });
}

test("a server that a log lists has a fact for each day and model, with tokens and money", () => {
  const turns = threeTurns.map((turn, index) =>
    index === 2 ? { ...turn, model: "haiku", ts: new Date(noon + 86_400_000).toISOString() } : turn,
  );
  const found = facts([...turns, toolList(0)]);
  expect(found.map(({ server, day, model, rent }) => ({ server, day, model, rent }))).toEqual([
    {
      server: "docs",
      day: zone.dayOf(noon),
      model: "claude-opus-4-8",
      rent: { requests: 2, unknownRequests: 0, tokens: 40, nanoDollars: 20 * 5_000 + 20 * 500 },
    },
    {
      server: "docs",
      day: zone.dayOf(noon) + 1,
      model: "haiku",
      rent: { requests: 1, unknownRequests: 0, tokens: 20, nanoDollars: null },
    },
  ]);
  expect(found[0]?.session).toMatchObject({ id: "session", client: "claude-code" });
});

test("a called server of unknown definitions has requests, no tokens and no money", () => {
  const [plain, priced] = [false, true].map((hasPrices) =>
    facts([...threeTurns, call(0)], hasPrices).map(({ rent }) => rent),
  );
  expect(plain).toEqual([{ requests: 3, unknownRequests: 3, tokens: 0 }]);
  expect(priced).toEqual([{ requests: 3, unknownRequests: 3, tokens: 0, nanoDollars: null }]);
});
