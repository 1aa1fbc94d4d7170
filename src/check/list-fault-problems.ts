import type { Clean } from "#text/one-line.ts";
import type { Problem } from "./report.ts";
import { shortened } from "./structure-fault.ts";

/** A part of a list for which clients reject the list. Its texts quote the server. */
export type ListFault = {
  /** The rule under which a check fails for it: that of a fault with a rule of its own, else `list_rejected`. */
  readonly rule:
    | "list_rejected"
    | "tools_undeclared"
    | "entries_not_tools"
    | "input_schema_rejected"
    | "output_schema_rejected";
  /** The method of its list, such as `tools/list`. */
  readonly method: string;
  /** The tool, prompt or resource template; null for the list. */
  readonly name: string | null;
  /** The place and the reason, such as `tools[3].title: expected string, received number`. */
  readonly text: string;
  /** The clients that reject it: those of SDK 1.x, those of SDK 2.x, or both. */
  readonly by: "older" | "newer" | "both";
};

const ownRules = ["list_rejected", "tools_undeclared"] as const;

type OwnRule = (typeof ownRules)[number];

/** The errors of lists that clients reject, but for faults that the lock or the output schemas report already. */
export function findListFaultProblems(faults: readonly ListFault[], clean: Clean): Problem[] {
  return faults.flatMap((fault): Problem[] => {
    const { name, rule } = fault;
    if (!isOwnRule(rule)) return [];
    const about = name === null ? null : shortened(name, clean);
    const text = describeListFault(fault, clean);
    return [{ level: "error", rule, about, text, line: null, place: "list" }];
  });
}

/** Which clients reject which list, and why, without secrets and in one line. */
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
