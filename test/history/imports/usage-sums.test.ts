import { expect, test } from "bun:test";
import { noUsage } from "#history/imports/log-event.ts";
import { mergeRequests } from "#history/imports/merge-requests.ts";
import { sumUsage, sumUsageByKey } from "#history/imports/import-report.ts";
import { requestLine } from "../../support/logs.ts";

const usage = {
  uncached: 1,
  cacheRead: 2,
  cacheWrite5m: 3,
  cacheWrite1h: 4,
  output: 5,
  reasoning: 6,
};

const { requests } = mergeRequests(
  ["a", "b", "a"].map((model, index) =>
    requestLine({ model, usage, keys: { message: `${index}`, request: null, line: null } }),
  ),
);

test("sumUsage adds every component", () => {
  expect(sumUsage(requests)).toEqual({
    requests: 3,
    input_uncached: 3,
    cache_read: 6,
    cache_write_5m: 9,
    cache_write_1h: 12,
    output: 15,
    reasoning: 18,
  });
});

test("usage is added up by group, whatever its name", () => {
  const sums = sumUsageByKey(requests, ({ model }) => (model === "b" ? "__proto__" : "a"));
  expect(Object.entries(sums).map(([name, sum]) => [name, sum.requests])).toEqual([
    ["a", 2],
    ["__proto__", 1],
  ]);
  expect(sumUsage([]).output).toBe(noUsage.output);
});
