import { expect, test } from "bun:test";
import { telemetryGroupsMax, FleetMetrics } from "#history/telemetry/prometheus.ts";
import { callRecord, endRecord, sessionRecord } from "../../support/made-records.ts";

function lines(fleet: FleetMetrics, metric = "mcp_meter.tokens"): string[] {
  return fleet
    .readAll()
    .flatMap(({ instrument, points }) =>
      instrument.name === metric
        ? points.map(
            ({ attributes, values }) => `${Object.values(attributes).join(" ")}: ${values[0]}`,
          )
        : [],
    );
}

const session = (id: string, members: Parameters<typeof sessionRecord>[0] = {}) =>
  sessionRecord({ session_id: id, ...members });
const call = (id: string) => callRecord({ session_id: id, tool: null, method: "resources/read" });

test("sessions of one server, client and estimator are added up, others are not", () => {
  const fleet = new FleetMetrics();
  fleet.take(session("a"));
  fleet.take(session("b"));
  fleet.take(session("c", { estimator: "claude" }));
  fleet.take(session("d", { client_name: null, server: "x\u202ey" }));
  for (const id of ["a", "b", "c", "d", "unknown"]) fleet.take(call(id));
  expect(lines(fleet).filter((line) => line.includes("result"))).toEqual([
    "garden host chars3 resources/read result: 200",
    "garden host claude resources/read result: 100",
    "x\\u202ey unknown chars3 resources/read result: 100",
  ]);
});

test("a client is named as in reports", () => {
  const fleet = new FleetMetrics();
  fleet.take(session("a", { client_name: "gemini-cli-mcp-client" }));
  fleet.take(call("a"));
  expect(lines(fleet)).toContain("garden gemini-cli chars3 resources/read result: 100");
});

test("a client that names itself later stays where its session began", () => {
  const fleet = new FleetMetrics();
  fleet.take(session("a", { client_name: null }));
  fleet.take(session("a", { client_name: "late" }));
  fleet.take(call("a"));
  expect(lines(fleet)).toEqual([
    "garden unknown chars3 resources/read arguments: 10",
    "garden unknown chars3 resources/read result: 100",
  ]);
});

test("groups beyond the limit share one", () => {
  const fleet = new FleetMetrics();
  for (let at = 0; at < telemetryGroupsMax + 2; at++) {
    fleet.take(session(`s${at}`, { server: `server ${at}` }));
    fleet.take(call(`s${at}`));
  }
  const results = lines(fleet).filter((line) => line.includes("result"));
  expect(results).toHaveLength(telemetryGroupsMax + 1);
  expect(results.at(-1)).toBe("(other) (other) chars3 resources/read result: 200");
});

test("the use of budgets comes from counters, not from sessions that have ended", () => {
  const fleet = new FleetMetrics();
  const state = { budget: "9/day", tool: null, limit: 9, unit: "tokens", per: "day" } as const;
  fleet.take(session("a"));
  fleet.take(
    endRecord({ session_id: "a", budgets: [{ ...state, action: "error", spent: 9, breaches: 0 }] }),
  );
  fleet.addBudget({ server: "garden", budget: "*=10/day", user: null, share: 0.5 });
  fleet.addBudget({ server: "garden", budget: "*=10/day", user: null, share: 0.4 });
  fleet.addBudget({ server: null, budget: "all=10/day", user: null, share: 0 });
  expect(lines(fleet, "mcp_meter.budget.used_ratio")).toEqual([
    "*=10/day garden: 0.5",
    "all=10/day: 0",
  ]);
});

test("whether counters can be read is a number, once they have been read", () => {
  const fleet = new FleetMetrics();
  expect(lines(fleet, "mcp_meter.counters.up")).toEqual([]);
  fleet.recordCountersReadable(true);
  expect(lines(fleet, "mcp_meter.counters.up")).toEqual([": 1"]);
  fleet.recordCountersReadable(false);
  expect(lines(fleet, "mcp_meter.counters.up")).toEqual([": 0"]);
});
