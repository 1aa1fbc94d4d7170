import type { UserError } from "#kit/errors.ts";
import type { CheckReport, Problem, CheckFailure } from "#check/report.ts";
import { driftRules, isDriftKind } from "#lock/drift/severity-rules.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { version } from "#kit/version.ts";
import { renderJson } from "./document.ts";
import { describeProblem, makeRelativeUri } from "./documents/shared-texts.ts";

const schemaUrl = "https://json.schemastore.org/sarif-2.1.0.json";

const ruleDescriptions: { readonly [place in Problem["place"]]: string } = {
  lock: "A definition differs from the lock",
  definitions: "Definitions exceed a token limit",
  schemas: "Clients do not accept an output schema",
  calls: "A call did not end as expected, or took too many tokens",
  budgets: "Calls exceed their budget",
  list: "A list from the server cannot be used, or it changed during the calls",
  answers: "A call has no recorded answer in the lock, or a recorded answer has no call",
};

type Result = {
  readonly ruleId: string;
  readonly level: Problem["level"];
  readonly text: string;
  readonly file: string;
  readonly line: number;
  /** Stays the same across runs, even if the numbers in the text change. */
  readonly fingerprint: string;
};

export function renderSarif(report: CheckReport, failure?: UserError): string {
  const { problems, server } = report;
  const seen = new Map<string, number>();
  const results = problems.map((problem) => ({
    ruleId: formatRuleId(problem),
    level: problem.level,
    text: describeProblem(problem),
    file: findFile(problem, report),
    line: problem.line ?? 1,
    fingerprint: makeFingerprint(problem, server, seen),
  }));
  const rules = new Map(problems.map((problem) => [formatRuleId(problem), describeRule(problem)]));
  return renderLog(
    { executionSuccessful: failure === undefined, ...buildNotifications(report, failure) },
    results,
    rules,
  );
}

function makeFingerprint(
  problem: Problem,
  server: CheckReport["server"],
  seen: Map<string, number>,
): string {
  const { about, at = "" } = problem;
  const text = escapeUnsafe([server.name ?? "", formatRuleId(problem), about ?? "", at].join("/"));
  const count = (seen.get(text) ?? 0) + 1;
  seen.set(text, count);
  return count === 1 ? text : `${text}#${count}`;
}

// Skipped calls are notifications, because viewers show every result as a finding.
function buildNotifications({ calls }: CheckReport, failure: UserError | undefined): object {
  const notes = [
    ...calls.flatMap(({ call, skipped }) =>
      skipped === null ? [] : [makeNotification("note", `${call} is skipped: ${skipped}`)],
    ),
    ...(failure ? [makeNotification("error", failure.message)] : []),
  ];
  return notes.length === 0 ? {} : { toolExecutionNotifications: notes };
}

function makeNotification(level: "note" | "error", text: string): object {
  return { level, message: { text: escapeUnsafe(text) } };
}

export function renderSarifFailure(failure: CheckFailure): string {
  const { error, exit_code: exitCode, place: location } = failure;
  const result: Result = {
    ruleId: "check/failed",
    level: "error",
    text: error,
    // Viewers reject a result without a location, so a failure that has none is located in the lock.
    file: location?.file ?? failure.lock_file,
    line: location?.line ?? 1,
    fingerprint: "check/failed",
  };
  const invocation = {
    executionSuccessful: false,
    exitCode,
    toolExecutionNotifications: [makeNotification("error", error)],
  };
  return renderLog(
    invocation,
    [result],
    new Map([[result.ruleId, "The server could not be checked"]]),
  );
}

function renderLog(
  invocation: object,
  results: readonly Result[],
  rules: ReadonlyMap<string, string>,
): string {
  const ids = [...rules.keys()];
  const run = {
    tool: {
      driver: {
        name: "mcp-meter",
        version,
        rules: [...rules].map(([id, text]) => ({ id, shortDescription: { text } })),
      },
    },
    columnKind: "utf16CodeUnits",
    invocations: [invocation],
    results: results.map((result) => buildResult(result, ids)),
  };
  return renderJson({ $schema: schemaUrl, version: "2.1.0", runs: [run] });
}

function buildResult(
  { ruleId: id, level, text, file, line, fingerprint }: Result,
  ids: readonly string[],
): object {
  const physicalLocation = {
    artifactLocation: { uri: makeRelativeUri(file) },
    region: { startLine: line },
  };
  return {
    ruleId: id,
    ruleIndex: ids.indexOf(id),
    level,
    message: { text: escapeUnsafe(text) },
    locations: [{ physicalLocation }],
    partialFingerprints: { "mcp-meter/v1": fingerprint },
  };
}

function describeRule(problem: Problem): string {
  const { rule } = problem;
  return isDriftKind(rule) ? driftRules[rule].meaning : ruleDescriptions[problem.place];
}

function formatRuleId(problem: Problem): string {
  return `${problem.place}/${problem.rule}`;
}

function findFile(problem: Problem, report: CheckReport): string {
  const isAboutDefinitions = ["lock", "definitions", "schemas"].includes(problem.place);
  return (isAboutDefinitions ? null : report.calls_file) ?? report.definitions.lock_file;
}
