import type { CheckReport, Problem } from "#check/report.ts";
import { escapeUnsafe, safeJson } from "#text/unsafe-text.ts";
import { version } from "#version.ts";
import { problemText } from "./problem-text.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

/** Descriptions of rules, for tools that list results by rule. */
const descriptions: { readonly [place in Problem["place"]]: string } = {
  lock: "A definition differs from the lock",
  definitions: "Definitions exceed a token limit",
  calls: "A call did not end as expected or cost too much",
  budgets: "Calls exceed their budget",
};

/** A check as SARIF 2.1.0: one result per problem, located in the lock or the calls file. */
export function renderSarif(report: CheckReport): string {
  const { problems } = report;
  const rules = [...new Map(problems.map((problem) => [ruleId(problem), problem]))];
  const run = {
    tool: {
      driver: {
        name: "mcp-meter",
        version,
        rules: rules.map(([id, { place }]) => ({
          id,
          shortDescription: { text: descriptions[place] },
        })),
      },
    },
    columnKind: "utf16CodeUnits",
    results: problems.map((problem) => ({
      ruleId: ruleId(problem),
      ruleIndex: rules.findIndex(([id]) => id === ruleId(problem)),
      level: problem.level,
      message: { text: escapeUnsafe(problemText(problem)) },
      locations: [location(problem, report)],
      partialFingerprints: { "mcp-meter/v1": escapeUnsafe(fingerprint(problem, report)) },
    })),
  };
  return `${safeJson({ $schema: schema, version: "2.1.0", runs: [run] }, 2)}\n`;
}

function ruleId({ place, rule }: Problem): string {
  return `${place}/${rule}`;
}

/** Identifies a problem across runs, even when its numbers change. */
function fingerprint(problem: Problem, { server }: CheckReport): string {
  return [server.name ?? "", ruleId(problem), problem.about ?? ""].join("/");
}

function location({ place }: Problem, report: CheckReport): object {
  const isAboutCalls = place === "calls" || place === "budgets";
  const file = (isAboutCalls ? report.calls_file : null) ?? report.definitions.lock_file;
  return {
    physicalLocation: {
      artifactLocation: { uri: relativeUri(file) },
      region: { startLine: 1 },
    },
  };
}

/** The path as a relative URI; an absolute path without its folders, which would reveal the machine. */
function relativeUri(file: string): string {
  const parts = file.replaceAll("\\", "/").split("/");
  const isAbsolute = parts[0] === "" || /^[A-Za-z]:$/.test(parts[0] ?? "");
  return (isAbsolute ? parts.slice(-1) : parts)
    .filter((part) => part !== ".")
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/");
}
