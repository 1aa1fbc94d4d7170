import type { Clean } from "#kit/text/one-line.ts";
import type { Problem } from "./report.ts";
import { shortened } from "./structure-fault.ts";

export type ListFault = {
  /** `list_rejected`, unless the fault has a specific rule. */
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

const ownRules = ["list_rejected", "tools_undeclared"] as const;

type OwnRule = (typeof ownRules)[number];

/** Leaves out faults that the lock or the output schemas report already. */
export function findListFaultProblems(faults: readonly ListFault[], clean: Clean): Problem[] {
  return faults.flatMap((fault): Problem[] => {
    const { name, rule } = fault;
    if (!isOwnRule(rule)) return [];
    const about = name === null ? null : shortened(name, clean);
    const text = describeListFault(fault, clean);
    return [{ level: "error", rule, about, text, line: null, place: "list" }];
  });
}

export function describeListFault({ rule, method, text, by }: ListFault, clean: Clean): string {
  const reason = shortened(text, clean);
  if (rule === "tools_undeclared") return `${subjects[by]} list no tools: ${reason}`;
  return `${subjects[by]} reject the answer to ${method}: ${reason}`;
}

const subjects: { readonly [by in ListFault["by"]]: string } = {
  older: "clients of SDK 1.x",
  newer: "clients of SDK 2.x",
  both: "clients",
};

function isOwnRule(rule: ListFault["rule"]): rule is OwnRule {
  return ownRules.some((own) => own === rule);
}
