import { expect, test } from "bun:test";
import type { BudgetState, MeterRecord } from "#records/record.ts";
import { SessionMetrics } from "#history/telemetry/session-metrics.ts";
import {
  alertRecord,
  breachRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  faultRecord,
  protocolRecord,
  sessionRecord,
  toolDefinition,
} from "../../support/made-records.ts";

const budgetState = (members: Partial<BudgetState>): BudgetState => ({
  budget: "all=10",
  tool: null,
  limit: 10,
  unit: "tokens",
  per: "session",
  action: "error",
  spent: 0,
  breaches: 0,
  ...members,
});

function pointsAfter(...records: readonly MeterRecord[]): string[] {
  const metrics = new SessionMetrics();
  for (const record of records) metrics.take(record);
  return metrics.readAll("cumulative").flatMap(({ instrument, points }) =>
    points.map(({ attributes, values }) => {
      const counts = instrument.kind === "histogram" ? values.slice(0, -1) : values;
      const value = counts.reduce((sum, count) => sum + count, 0);
      return `${instrument.name}{${Object.values(attributes).join(",")}} ${value}`;
    }),
  );
}

test("a session without calls has no series", () => {
  expect(pointsAfter(sessionRecord(), alertRecord(), faultRecord(), endRecord())).toEqual([]);
});

test("definitions count once for each part of the context", () => {
  const list = definitionsRecord({
    tools: [toolDefinition("search", 120)],
    total_tokens: 120,
    resident_tokens: 150,
  });
  expect(pointsAfter(list, list)).toEqual([
    "mcp_meter.tokens{definitions} 150",
    "mcp_meter.definitions.tokens{} 120",
  ]);
});

test("calls of a tool, and of other methods", () => {
  expect(
    pointsAfter(
      callRecord({ tool: "search", input_tokens: 10, output_tokens: 100 }),
      callRecord({ tool: "search", input_tokens: 1, output_tokens: 2, outcome: "tool_error" }),
      callRecord({ tool: null, method: "resources/read", input_tokens: 3, output_tokens: 4 }),
      callRecord({ tool: null, method: "sampling/createMessage" }),
      protocolRecord({ method: "vendor/secret-token" }),
    ),
  ).toEqual([
    "mcp_meter.tokens{tools/call,search,arguments} 11",
    "mcp_meter.tokens{tools/call,search,result} 102",
    "mcp_meter.tokens{resources/read,arguments} 3",
    "mcp_meter.tokens{resources/read,result} 4",
    "mcp_meter.tokens{sampling/createMessage,arguments} 10",
    "mcp_meter.tokens{sampling/createMessage,result} 100",
    "mcp_meter.call.tokens{tools/call,search} 2",
    "mcp_meter.call.tokens{resources/read} 1",
    "mcp_meter.call.tokens{sampling/createMessage} 1",
    "mcp.server.operation.duration{tools/call,search,execute_tool,pipe} 1",
    "mcp.server.operation.duration{tools/call,search,execute_tool,pipe,tool_error} 1",
    "mcp.server.operation.duration{resources/read,pipe} 1",
    "mcp.server.operation.duration{(other),pipe} 1",
  ]);
});

test("the transport of the session is named by OpenTelemetry's convention", () => {
  const call = callRecord({ tool: "search" });
  const durationsAfter = (transport: "http" | undefined) =>
    pointsAfter(sessionRecord(transport && { transport }), call).filter((point) =>
      point.startsWith("mcp.server.operation.duration"),
    );
  expect([durationsAfter("http"), durationsAfter(undefined)]).toEqual([
    ["mcp.server.operation.duration{tools/call,search,execute_tool,tcp} 1"],
    ["mcp.server.operation.duration{tools/call,search,execute_tool,pipe} 1"],
  ]);
});

test("budgets: breaches, and the largest share of any of its tools", () => {
  const states = [
    budgetState({ budget: "*=100", tool: "a", limit: 100, spent: 20 }),
    budgetState({ budget: "*=100", tool: "b", limit: 100, spent: 90 }),
    budgetState({ budget: "x=0", limit: 0, spent: 3 }),
  ];
  expect(
    pointsAfter(
      breachRecord({ budget: "*=100", tool: "b", action: "error" }),
      endRecord({ budgets: states }),
    ),
  ).toEqual([
    "mcp_meter.budget.breaches{*=100,b,error} 1",
    "mcp_meter.budget.used_ratio{*=100} 0.9",
    "mcp_meter.budget.used_ratio{x=0} 1",
  ]);
});

test("hasChanges is true until the values that were read are confirmed", () => {
  const metrics = new SessionMetrics();
  expect(metrics.hasChanges).toBe(false);
  metrics.take(callRecord());
  metrics.readAll("delta");
  expect(metrics.hasChanges).toBe(true);
  metrics.confirmAll();
  expect(metrics.hasChanges).toBe(false);
});
