import { expect, test } from "bun:test";
import { parseMetricsOptions } from "#commands/metrics/options.ts";
import { thrownBy } from "../../support/folder.ts";

const parse = (options = {}, operands: readonly string[] = [], child?: readonly string[]) =>
  parseMetricsOptions({ options, operands, child });

test("files, a period and a file to write", () => {
  expect(parse()).toEqual({ files: [], since: undefined, timezone: undefined, output: undefined });
  expect(parse({ since: "24h", timezone: "UTC", output: "a.prom" }, ["logs"])).toEqual({
    files: ["logs"],
    since: "24h",
    timezone: "UTC",
    output: "a.prom",
  });
});

test("mistakes", () => {
  expect(thrownBy(() => parse({ since: "lately" }))).toContain("--since must be a date");
  expect(thrownBy(() => parse({}, [], ["server"]))).toBe('unexpected argument "server"');
});
