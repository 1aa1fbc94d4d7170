import { expect, test } from "bun:test";
import { telemetryToolsMax } from "#limits/telemetry.ts";
import { dayMetrics, type DayUsage } from "#telemetry/day-metrics.ts";

const usage = (told: Partial<DayUsage>): DayUsage => ({
  startMs: 0,
  server: "garden",
  client: "host",
  estimator: "o200k",
  method: "tools/call",
  tool: "search",
  argumentTokens: 10,
  resultTokens: 100,
  definitionTokens: 0,
  ...told,
});

/** Each value with its server, day and attributes. */
function values(...all: readonly DayUsage[]): string[] {
  return dayMetrics(all).flatMap(({ resource, days }) =>
    days.flatMap(({ startMs, reading }) =>
      reading.points.map(({ attributes, values: [value] }) =>
        [...Object.values(resource), startMs, ...Object.values(attributes), value].join(" "),
      ),
    ),
  );
}

test("tokens of a day are added up by tool and part, days are in order", () => {
  const later = usage({ startMs: 86_400_000, tool: null, method: "resources/read" });
  const definitions = { method: "tools/list", tool: null, argumentTokens: 0, resultTokens: 0 };
  expect(
    values(later, usage({}), usage({}), usage({ ...definitions, definitionTokens: 300 })),
  ).toEqual([
    "garden host o200k 0 tools/call search arguments 20",
    "garden host o200k 0 tools/call search result 200",
    "garden host o200k 0 definitions 300",
    "garden host o200k 86400000 resources/read arguments 10",
    "garden host o200k 86400000 resources/read result 100",
  ]);
});

test("servers, clients and estimators are apart; unknown names, hostile ones and days without tokens", () => {
  const none = { argumentTokens: 0, resultTokens: 0 };
  const hostile = usage({
    server: "a\u202e",
    client: null,
    estimator: null,
    argumentTokens: 1,
    resultTokens: 0,
  });
  expect(values(usage(none), hostile)).toEqual([
    "a\\u202e unknown unknown 0 tools/call search arguments 1",
    "a\\u202e unknown unknown 0 tools/call search result 0",
  ]);
});

test("tools beyond the limit are one", () => {
  const all = Array.from({ length: telemetryToolsMax + 3 }, (_, at) => usage({ tool: `t${at}` }));
  expect(values(...all).at(-1)).toBe("garden host o200k 0 tools/call (other) result 300");
});
