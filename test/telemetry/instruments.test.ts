import { expect, test } from "bun:test";
import { attributeNames, instruments } from "#telemetry/instruments.ts";

test("the names that a backend keeps", () => {
  expect(
    Object.values(instruments).map(({ name, unit, kind }) => `${name} ${unit} ${kind}`),
  ).toEqual([
    "mcp_meter.tokens {token} counter",
    "mcp_meter.day.tokens {token} gauge",
    "mcp_meter.call.tokens {token} histogram",
    "mcp_meter.definitions.tokens {token} gauge",
    "mcp_meter.budget.breaches {breach} counter",
    "mcp_meter.budget.used_ratio 1 gauge",
    "mcp_meter.counters.up 1 gauge",
    "mcp.server.operation.duration s histogram",
  ]);
  expect(new Set(Object.values(attributeNames)).size).toBe(Object.keys(attributeNames).length);
});
