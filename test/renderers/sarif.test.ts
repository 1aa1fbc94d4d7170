import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { renderSarif } from "#renderers/sarif.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { fullReport } from "../support/checks.ts";

const root = join(import.meta.dir, "..", "..");
const file = join(root, "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
// Written for draft 4, of which it uses nothing that later drafts changed but the two names left out here.
const {
  $schema: _draft,
  id: _id,
  ...schema
}: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
const validate = new Ajv({
  strict: false,
  validateFormats: false,
  unicodeRegExp: false,
}).compile(schema);

type Sarif = {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
      }[];
    }[];
  }[];
};

const report = fullReport();

test("renderSarif is valid SARIF 2.1.0, with and without problems", () => {
  for (const one of [report, { ...report, problems: [] }]) {
    expect(validate(JSON.parse(renderSarif(one)))).toBe(true);
  }
});

test("renderSarif: a result a problem, each with its rule, at a relative place", () => {
  const { runs }: Sarif = JSON.parse(renderSarif(report));
  const [run] = runs;
  expect(run?.results).toHaveLength(report.problems.length);
  for (const { ruleId, ruleIndex } of run?.results ?? []) {
    expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  }
  const uris = run?.results.map((one) => one.locations[0]?.physicalLocation.artifactLocation.uri);
  expect(new Set(uris)).toEqual(new Set(["locks/a%20b.lock", "calls.yaml"]));
});

test("renderSarif tells nothing of the machine, and nothing in it is unsafe", () => {
  const text = renderSarif({ ...report, calls_file: "/secret/place/calls.yaml" });
  expect(text).not.toContain("secret");
  expect(escapeUnsafe(text.replaceAll("\n", ""))).toBe(text.replaceAll("\n", ""));
});
