import type { CheckReport, Problem } from "#check/report.ts";
import { escapeUnsafe, safeJson } from "#text/unsafe-text.ts";
import { version } from "#version.ts";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

/** What a problem's rule means, for those who read results rule by rule. */
const meanings: { readonly [place in Problem["place"]]: string } = {
  lock: "A definition differs from the lock",
  definitions: "Definitions cost more than is allowed",
  calls: "A call went or cost otherwise than it should",
  budgets: "Calls cost more than their budget",
};

/** A check as SARIF 2.1.0: one result a problem, at the lock or the calls file. */
export function checkAsSarif(report: CheckReport): string {
  const { problems } = report;
  const rules = [...new Map(problems.map((problem) => [ruleOf(problem), problem]))];
  const run = {
    tool: {
      driver: {
        name: "mcp-meter",
        version,
        rules: rules.map(([id, { place }]) => ({
          id,
          shortDescription: { text: meanings[place] },
        })),
      },
    },
    columnKind: "utf16CodeUnits",
    results: problems.map((problem) => ({
      ruleId: ruleOf(problem),
      ruleIndex: rules.findIndex(([id]) => id === ruleOf(problem)),
      level: problem.level,
      message: { text: escapeUnsafe(messageOf(problem)) },
      locations: [locationOf(problem, report)],
      partialFingerprints: { "mcp-meter/v1": escapeUnsafe(fingerprintOf(problem, report)) },
    })),
  };
  return `${safeJson({ $schema: schema, version: "2.1.0", runs: [run] }, 2)}\n`;
}

function ruleOf({ place, rule }: Problem): string {
  return `${place}/${rule}`;
}

function messageOf({ about, text }: Problem): string {
  return about === null ? text : `${about}: ${text}`;
}

/** The same problem in the next run is the same result, whatever its numbers are then. */
function fingerprintOf(problem: Problem, { server }: CheckReport): string {
  return [server.name ?? "", ruleOf(problem), problem.about ?? ""].join("/");
}

function locationOf({ place }: Problem, report: CheckReport): object {
  const isOfCalls = place === "calls" || place === "budgets";
  const file = (isOfCalls ? report.calls_file : null) ?? report.definitions.lock_file;
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: { startLine: 1 },
    },
  };
}

/** A relative path as a relative URI; an absolute one by its last part, which tells nothing of the machine. */
function uriOf(file: string): string {
  const parts = file.replaceAll("\\", "/").split("/");
  const isAbsolute = parts[0] === "" || /^[A-Za-z]:$/.test(parts[0] ?? "");
  return (isAbsolute ? parts.slice(-1) : parts)
    .filter((part) => part !== ".")
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/");
}
