import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validateXML } from "xmllint-wasm";
import { renderJunit } from "#renderers/junit.ts";
import { fullReport } from "../support/checks.ts";

const schema = readFileSync(join(import.meta.dir, "..", "fixtures", "junit.xsd"), "utf8");
const report = fullReport();
const at = { timestamp: "2026-07-28T09:00:00" };

async function objections(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: { fileName: "report.xml", contents: xml }, schema });
  return errors.map(({ message }) => message);
}

test("renderJunit is valid, with hostile names and with nothing to say", async () => {
  expect(await objections(renderJunit(report, at))).toEqual([]);
  const nothing = { ...report, problems: [], calls: [], budgets: [], lock_file: null };
  expect(await objections(renderJunit(nothing, at))).toEqual([]);
  expect(await objections("<testsuites><x/></testsuites>")).not.toEqual([]);
});

test("renderJunit: a case a call and round, failed ones with their numbers; warnings are no failures", () => {
  const xml = renderJunit(report, at);
  const [definitions = "", calls = "", budgets = ""] = xml.split("<testsuite ").slice(1);
  expect(definitions).toContain('name="definitions"');
  expect(definitions).toContain("became_unbounded");
  expect(calls).toContain('tests="3" failures="2"');
  expect(calls).toContain('message="it takes 90 tokens; its budget is 50"');
  expect(calls).toContain('name="fine, round 1" time="1.500"');
  expect(budgets).toContain("budget 1:warn: its most expensive call takes 90 tokens");
  expect(budgets.split("<failure")).toHaveLength(2);
});
