import { expect, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import { renderSarif, renderSarifFailure } from "#screens/renderers/sarif.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { failureOf, fullReport } from "../../support/checks.ts";
import { sarifSchema } from "../../support/report-schemas.ts";

const validate = sarifSchema();

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
  for (const problem of [report, { ...report, problems: [] }]) {
    expect(validate(JSON.parse(renderSarif(problem)))).toBe(true);
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

test("renderSarif: the fingerprints of a run are unique, also of equal problems", () => {
  const problems = [...report.problems, ...report.problems];
  const { runs } = JSON.parse(renderSarif({ ...report, problems }));
  const prints = runs[0].results.map((one: { partialFingerprints: object }) =>
    JSON.stringify(one.partialFingerprints),
  );
  expect(new Set(prints).size).toBe(problems.length);
});

test("renderSarif points at the line of a call, and notes calls that were skipped", () => {
  const { runs } = JSON.parse(renderSarif(report));
  const second = report.problems.findIndex(({ line }) => line === 3);
  expect(runs[0].results[second].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: "calls.yaml" },
    region: { startLine: 3 },
  });
  const [{ toolExecutionNotifications: notes }] = runs[0].invocations;
  expect(notes[0].message.text).toContain("is skipped: because ::error");
});

test("renderSarif tells nothing of the machine, and nothing in it is unsafe", () => {
  const text = renderSarif({ ...report, calls_file: "/secret/place/calls.yaml" });
  expect(text).not.toContain("secret");
  expect(escapeUnsafe(text.replaceAll("\n", ""))).toBe(text.replaceAll("\n", ""));
});

const at = (startLine: number) => ({
  locations: [{ physicalLocation: { region: { startLine } } }],
});

test("renderSarif points at the line of a problem, and at the first where it has none", () => {
  const [first, ...others] = report.problems;
  if (!first) throw new Error("no problem");
  const log: unknown = JSON.parse(
    renderSarif({ ...report, problems: [{ ...first, line: 42 }, ...others.slice(0, 1)] }),
  );
  expect(log).toMatchObject({ runs: [{ results: [at(42), at(1)] }] });
});

test("renderSarifFailure is a run that failed, with its reason as notification and result", () => {
  const log: unknown = JSON.parse(
    renderSarifFailure(failureOf("Cannot connect \u202e", "/secret/a.lock")),
  );
  expect(validate(log)).toBe(true);
  const text = "Cannot connect \\u202e";
  expect(log).toMatchObject({
    runs: [
      {
        invocations: [
          {
            executionSuccessful: false,
            exitCode: 3,
            toolExecutionNotifications: [{ level: "error", message: { text } }],
          },
        ],
        results: [{ ruleId: "check/failed", message: { text } }],
      },
    ],
  });
  expect(JSON.stringify(log)).not.toContain("secret");
});

test("a check that ended early is a run that failed, with its reason as a note", () => {
  const text = renderSarif(report, new UserError("The server ended"));
  const [run] = JSON.parse(text).runs;
  expect(run.invocations).toMatchObject([
    {
      executionSuccessful: false,
      toolExecutionNotifications: expect.arrayContaining([
        { level: "error", message: { text: "The server ended" } },
      ]),
    },
  ]);
});
