import { expect, test } from "bun:test";
import { serverRents } from "#reports/imported/server-rents.ts";
import { noSums } from "#reports/sums.ts";
import type { UsageFact } from "#reports/usage-fact.ts";

const session = {
  id: "s",
  beganMs: 0,
  beganLocal: "",
  client: null,
  model: null,
  machine: null,
  estimation: null,
};

function fact(server: string, rest: Partial<UsageFact> = {}): UsageFact {
  const place = { session, range: 0, day: 0, method: "tools/list", tool: null, model: null };
  return { ...place, server, sums: noSums(), ...rest };
}

const rent = (tokens: number) => ({ requests: 10, unknownRequests: 0, tokens });

test("servers are added up, the most tokens first, with the calls of all estimators", () => {
  const facts = [
    fact("docs", { rent: rent(100) }),
    fact("files", { rent: rent(900) }),
    fact("docs", { rent: rent(50) }),
    fact("other"),
  ];
  const calls = { ...noSums(), calls: 3 };
  const all = [...facts, fact("docs", { sums: calls }), fact("docs", { sums: calls, range: 1 })];
  expect(serverRents(facts, all)).toMatchObject([
    { server: "files", calls: 0, rent_requests: 10, rent_tokens: 900 },
    { server: "docs", calls: 3, rent_requests: 20, rent_tokens: 150 },
  ]);
});
