import { expect, test } from "bun:test";
import { benchOptions } from "../../support/bench.ts";
import { withBench } from "../../../scripts/bench/bench.ts";
import {
  everyRole,
  listContestants,
  pick,
  pickOptional,
  type Role,
} from "../../../scripts/bench/contestants.ts";

const bench = await withBench(benchOptions, async (made) => ({ ...made, meter: "METER" }));

const roles = (more: object) =>
  listContestants({ ...bench, ...more }, everyRole).map(({ role }) => role);

test("only those exist that can run: a tee that was compiled, an older executable that was named", () => {
  expect(roles({})).toEqual(everyRole.filter((role) => role !== "tee" && role !== "older"));
  expect(roles({ tee: "TEE", against: "OLD" })).toEqual([...everyRole]);
});

test("a load names its own, in its own order", () => {
  const contestants = listContestants(bench, ["gated", "bare"]);
  expect(contestants.map(({ role }) => role)).toEqual(["gated", "bare"]);
});

test.each<[Role, string[], boolean]>([
  ["bare", ["SERVER", "1"], false],
  ["tee", ["TEE", "SERVER", "1"], false],
  ["meter", ["METER", "--log", "LOG", "--", "SERVER", "1"], true],
  ["unlogged", ["METER", "--log", "off", "--", "SERVER", "1"], false],
  ["older", ["OLD", "--log", "LOG", "--", "SERVER", "1"], true],
  ["gated", ["METER", "--log", "LOG", "--budget", "1000000M/session", "--", "SERVER", "1"], true],
  [
    "portable",
    ["env", "MCP_METER_FORWARDER=portable", "METER", "--log", "LOG", "--", "SERVER", "1"],
    true,
  ],
])("the command line of %s", (role, command, meters) => {
  const [one] = listContestants({ ...bench, tee: "TEE", against: "OLD" }, [role]);
  expect(one?.wrap(["SERVER", "1"], "LOG")).toEqual(command);
  expect(one?.meters).toBe(meters);
});

test("a result is picked by its contestant, and a missing one only where it may be", () => {
  const results = listContestants(bench, ["pipe", "meter"]).map((contestant, at) => ({
    contestant,
    at,
  }));
  expect(pick(results, "meter").at).toBe(1);
  expect(pickOptional(results, "older")).toBeUndefined();
  expect(() => pick(results, "gated")).toThrow('Cannot compare: "gated" has no result');
});
