import { compareDefinitions } from "#lock/drift/definition-changes.ts";
import { type Offers, findOfferDrifts } from "#lock/drift/server-drifts.ts";
import { driftRules } from "#lock/drift/rules.ts";
import { readDefinitionName } from "#tokens/cost/definition-tokens.ts";
import { pickCommonNames } from "#records/definition-summary.ts";
import { canonicalizeJson, isEqual, readString, type JsonObject } from "#wire/json.ts";
import type { Redactor } from "./redact.ts";
import type { Problem } from "./report.ts";
import type { CleanText } from "#kit/text/unsafe-text.ts";
import { shorten } from "./output-schema-problems.ts";

export type Lists = {
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly skills?: readonly JsonObject[];
};

export type LaterLists = Lists | { readonly fault: string };

// A server that changes a list after calls shows the reviewer one list and the model another.
export function findListProblems(before: Lists, later: LaterLists, redact: Redactor): Problem[] {
  const shared = { level: "error", line: null, place: "list" } as const;
  if ("fault" in later) {
    const text = `its lists cannot be read again after the calls: ${redact(later.fault)}`;
    return [{ ...shared, rule: "list_unreadable", about: null, text }];
  }
  const offerChanges = findOfferDrifts(convertOffers(before), convertOffers(later))
    .filter(({ severity }) => severity !== "COSMETIC")
    .map(({ what }) => ({
      about: null,
      text: `the server lists different texts after the calls: ${what}`,
    }));
  const toolChanges = [
    ...findToolChanges(before.tools, later.tools),
    ...findOrderChanges(before, later),
  ];
  return [...toolChanges, ...offerChanges].map(({ about, text }) => ({
    ...shared,
    rule: "list_changed",
    about: about === null ? null : redact(about),
    text: redact(text),
  }));
}

function convertOffers({ prompts, resourceTemplates, skills = [] }: Lists): Offers {
  return { prompts, resource_templates: resourceTemplates, skills };
}

type ListChange = Pick<Problem, "about" | "text">;

function findOrderChanges({ tools: before }: Lists, { tools: after }: Lists): ListChange[] {
  const [earlierNames, laterNames] = [before, after].map((list) => list.map(readDefinitionName));
  const names = pickCommonNames(earlierNames ?? [], laterNames ?? []);
  if (isEqual(names.before, names.after)) return [];
  return [{ about: null, text: "the server lists its tools in a different order after the calls" }];
}

function findToolChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): ListChange[] {
  const [earlierByName, laterByName] = [before, after].map((list) =>
    Map.groupBy(list, (tool) => readString(tool, "name") ?? ""),
  );
  const names = new Set([...(earlierByName?.keys() ?? []), ...(laterByName?.keys() ?? [])]);
  return [...names].flatMap((about): ListChange[] => {
    const [earlierTools, laterTools] = [earlierByName?.get(about), laterByName?.get(about)];
    if (!laterTools) return [{ about, text: "the server no longer lists it after the calls" }];
    if (!earlierTools) return [{ about, text: "the server lists it only after the calls" }];
    const text = "the server lists a different definition of it after the calls";
    const [suffix] = describeChanges(earlierTools, laterTools);
    return suffix === undefined ? [] : [{ about, text: `${text}${suffix}` }];
  });
}

// Ignores cosmetic changes, such as a time in `_meta`, which neither models nor callers notice.
function describeChanges(before: readonly JsonObject[], after: readonly JsonObject[]): string[] {
  const [earlierTool, laterTool] = [before[0], after[0]];
  if (earlierTool && laterTool && before.length === 1 && after.length === 1) {
    return compareDefinitions(earlierTool, laterTool).flatMap(({ kind, what }) =>
      driftRules[kind].severity === "COSMETIC" ? [] : [`: ${what}`],
    );
  }
  const [textsBefore, textsAfter] = [before, after].map((list) =>
    list.map(canonicalizeJson).toSorted(),
  );
  return isEqual(textsBefore, textsAfter) ? [] : [""];
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
  readonly by: "older" | "newer" | "both";
};

const wholeListRules = ["list_rejected", "tools_undeclared"] as const;

type WholeListRule = (typeof wholeListRules)[number];

export function findListFaultProblems(faults: readonly ListFault[], clean: CleanText): Problem[] {
  return faults.flatMap((fault): Problem[] => {
    const { name, rule } = fault;
    if (!isWholeListRule(rule)) return [];
    const about = name === null ? null : shorten(name, clean);
    const text = describeListFault(fault, clean);
    return [{ level: "error", rule, about, text, line: null, place: "list" }];
  });
}

export function describeListFault({ rule, method, text, by }: ListFault, clean: CleanText): string {
  const reason = shorten(text, clean);
  if (rule === "tools_undeclared") return `${subjects[by]} list no tools: ${reason}`;
  return `${subjects[by]} reject the answer to ${method}: ${reason}`;
}

const subjects: { readonly [by in ListFault["by"]]: string } = {
  older: "clients of SDK 1.x",
  newer: "clients of SDK 2.x",
  both: "clients",
};

function isWholeListRule(rule: ListFault["rule"]): rule is WholeListRule {
  return wholeListRules.some((candidate) => candidate === rule);
}
