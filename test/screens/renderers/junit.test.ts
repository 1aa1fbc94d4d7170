import { expect, test } from "bun:test";
import { renderJunit, renderJunitFailure } from "#screens/renderers/junit.ts";
import { failureOf, fullReport } from "../../support/checks.ts";
import { junitObjections } from "../../support/report-schemas.ts";

const report = fullReport();
const at = { timestamp: "2026-07-28T09:00:00" };

test("renderJunit is valid, with hostile names and with nothing to say", async () => {
  expect(await junitObjections(renderJunit(report, at))).toEqual([]);
  const nothing = { ...report, problems: [], calls: [], budgets: [], lock_file: null };
  expect(await junitObjections(renderJunit(nothing, at))).toEqual([]);
  expect(await junitObjections("<testsuites><x/></testsuites>")).not.toEqual([]);
});

test("renderJunit: a case a call and round, failed ones with their numbers; warnings are no failures", () => {
  const xml = renderJunit(report, at);
  const [definitions = "", calls = "", budgets = ""] = xml.split("<testsuite ").slice(1);
  expect(definitions).toContain('name="definitions"');
  expect(definitions).toContain("became_unbounded");
  expect(calls).toContain('tests="5" failures="3" errors="0" skipped="1"');
  expect(calls).toContain('name="the lists of the server"');
  expect(calls).toContain(
    "the server lists a different definition of it after the calls: title added; the server&apos;s lists cannot",
  );
  expect(calls).toContain(
    "the lock has an answer of 7 tokens from this tool, but the call is not in the calls file",
  );
  expect(calls).toContain('message="it takes 90 tokens; its budget is 50"');
  expect(calls).toContain('name="fine, round 1" time="1.500"');
  expect(calls).toContain('<skipped message="because ::error::h');
  expect(budgets).toContain("budget 1:warn: the most expensive call takes 90 tokens");
  expect(budgets.split("<failure")).toHaveLength(2);
});

test("renderJunit has no suite without a case", () => {
  const xml = renderJunit({ ...report, calls: [], budgets: [], problems: [] }, at);
  expect(xml.split("<testsuite ")).toHaveLength(2);
});

test("renderJunitFailure is one suite with one error, which is not a failure", async () => {
  const failure = failureOf("Cannot connect to <\u0000\u202e]]>");
  const xml = renderJunitFailure(failure, at);
  expect(await junitObjections(xml)).toEqual([]);
  expect(xml).toContain('tests="1" failures="0" errors="1"');
  expect(xml).toContain('<error type="exit_code_3" message="Cannot connect to &lt;');
});

test("renderJunit: no two cases of a suite have one name, and a name depends on the cases before it", () => {
  const [, , call] = report.calls;
  if (!call) return expect.unreachable("no call");
  const named = (name: string, round = 1) => ({ ...call, call: name, round });
  const calls = [
    named("search"),
    named("search", 2),
    named("search"),
    named("search, round 1 (2)"),
    named("search"),
    named("a\u202e"),
    named("a\\u202e"),
  ];
  const xml = renderJunit({ ...report, calls }, at);
  const names = [...xml.matchAll(/<testcase classname="mcp-meter.calls" name="([^"]*)"/g)];
  expect(names.map(([, name]) => name)).toEqual([
    "search, round 1",
    "search, round 2",
    "search, round 1 (2)",
    "search, round 1 (2), round 1",
    "search, round 1 (3)",
    "a\\u202e, round 1",
    "a\\u202e, round 1 (2)",
    "the lists of the server",
  ]);
});
