import { type ServerListing } from "#lock/profile.ts";
import { compareDefinitions } from "#lock/drift/definition-changes.ts";
import { type Offers, findOfferDrifts } from "#lock/drift/server-drifts.ts";
import { driftRules } from "#lock/drift/severity-rules.ts";
import { readDefinitionName } from "#tokens/cost/count-definition.ts";
import { pickCommonNames } from "#records/definition-summary.ts";
import { canonicalizeJson, isEqual, readString } from "#wire/json.ts";
import type { Problem } from "./report.ts";
import type { Redactor } from "#kit/text/unsafe-text.ts";
import { shortenFault } from "./output-schema-problems.ts";

export type ComparedLists = Pick<
  ServerListing,
  "tools" | "prompts" | "resourceTemplates" | "skills"
>;

export type ListsAfterCalls = ComparedLists | { readonly fault: string };

// A server could pass a review with one list, and show models another.
export function findListChangeProblems(
  before: ComparedLists,
  after: ListsAfterCalls,
  redact: Redactor,
): Problem[] {
  const common = { level: "error", line: null, place: "list" } as const;
  if ("fault" in after) {
    const text = `the server's lists cannot be read again after the calls: ${redact(after.fault)}`;
    return [{ ...common, rule: "list_unreadable", about: null, text }];
  }
  const offerChanges = findOfferDrifts(pickOffers(before), pickOffers(after))
    .filter(({ severity }) => severity !== "COSMETIC")
    .map(({ what }) => ({
      about: null,
      text: `the server's lists differ after the calls: ${what}`,
    }));
  const toolChanges = findToolChanges(before.tools, after.tools);
  const orderChanges = findOrderChanges(before.tools, after.tools);
  return [...toolChanges, ...orderChanges, ...offerChanges].map(({ about, text }) => ({
    ...common,
    rule: "list_changed",
    about: about === null ? null : redact(about),
    text: redact(text),
  }));
}

function pickOffers({ prompts, resourceTemplates, skills = [] }: ComparedLists): Offers {
  return { prompts, resource_templates: resourceTemplates, skills };
}

type ListChange = Pick<Problem, "about" | "text">;

type Tools = ComparedLists["tools"];

function findOrderChanges(before: Tools, after: Tools): ListChange[] {
  const names = pickCommonNames(before.map(readDefinitionName), after.map(readDefinitionName));
  if (isEqual(names.before, names.after)) return [];
  return [{ about: null, text: "the server lists its tools in a different order after the calls" }];
}

function findToolChanges(before: Tools, after: Tools): ListChange[] {
  const [beforeByName, afterByName] = [groupByName(before), groupByName(after)];
  const names = new Set([...beforeByName.keys(), ...afterByName.keys()]);
  return [...names].flatMap((about): ListChange[] => {
    const [toolsBefore, toolsAfter] = [beforeByName.get(about), afterByName.get(about)];
    if (!toolsAfter) return [{ about, text: "the server no longer lists it after the calls" }];
    if (!toolsBefore) return [{ about, text: "the server lists it only after the calls" }];
    const text = "the server lists a different definition of it after the calls";
    const detail = describeChange(toolsBefore, toolsAfter);
    return detail === undefined ? [] : [{ about, text: `${text}${detail}` }];
  });
}

function groupByName(tools: Tools): ReadonlyMap<string, Tools> {
  return Map.groupBy(tools, (tool) => readString(tool, "name") ?? "");
}

// Compares the tools that have the same name. If each list has only one of them, cosmetic changes, such as a new time
// in `_meta`, do not count. Otherwise, every change counts. Undefined if no change counts.
function describeChange(before: Tools, after: Tools): string | undefined {
  const [[toolBefore, ...othersBefore], [toolAfter, ...othersAfter]] = [before, after];
  if (toolBefore && toolAfter && othersBefore.length + othersAfter.length === 0) {
    const change = compareDefinitions(toolBefore, toolAfter).find(
      ({ kind }) => driftRules[kind].severity !== "COSMETIC",
    );
    return change && `: ${change.what}`;
  }
  const [textsBefore, textsAfter] = [before, after].map((list) =>
    list.map(canonicalizeJson).toSorted(),
  );
  return isEqual(textsBefore, textsAfter) ? undefined : "";
}

export type ListFault = {
  readonly rule:
    | "list_rejected"
    | "tools_undeclared"
    | "entries_not_tools"
    | "input_schema_rejected"
    | "output_schema_rejected";
  readonly method: string;
  readonly name: string | null;
  readonly text: string;
  readonly rejectedBy: "sdk1" | "sdk2" | "both";
};

export function findListFaultProblems(faults: readonly ListFault[], redact: Redactor): Problem[] {
  return faults.flatMap((fault): Problem[] => {
    const { name, rule } = fault;
    // Faults of the other rules concern a single entry, and are reported as drifts or schema problems.
    if (rule !== "list_rejected" && rule !== "tools_undeclared") return [];
    const about = name === null ? null : shortenFault(name, redact);
    const text = describeListFault(fault, redact);
    return [{ level: "error", rule, about, text, line: null, place: "list" }];
  });
}

export function describeListFault(
  { rule, method, text, rejectedBy }: ListFault,
  redact: Redactor,
): string {
  const reason = shortenFault(text, redact);
  if (rule === "tools_undeclared")
    return `${rejectingClients[rejectedBy]} show no tools: ${reason}`;
  return `${rejectingClients[rejectedBy]} reject the answer to ${method}: ${reason}`;
}

const rejectingClients: { readonly [sdks in ListFault["rejectedBy"]]: string } = {
  sdk1: "clients built on SDK 1.x",
  sdk2: "clients built on SDK 2.x",
  both: "clients",
};
