import type { JsonObject } from "#wire/json.ts";
import type { Redact } from "./redact.ts";
import type { Problem } from "./report.ts";
import { findToolListChanges, type ToolListChange } from "./tool-list-changes.ts";

/** The list of tools after the calls, or the sentence that says why there is none. */
export type LaterTools = { readonly tools: readonly JsonObject[] } | { readonly fault: string };

/**
 * The errors of a list that is not the same after the calls as before them: a server that changes its list with its
 * calls shows a reviewer one list and a model another. `redact` removes secrets that the calls sent.
 */
export function findToolListProblems(
  before: readonly JsonObject[],
  later: LaterTools,
  redact: Redact,
): Problem[] {
  const shared = { level: "error", line: null, place: "list" } as const;
  if ("fault" in later) {
    const text = `its tools cannot be listed again after the calls: ${redact(later.fault)}`;
    return [{ ...shared, rule: "list_unreadable", about: null, text }];
  }
  return findToolListChanges(before, later.tools).map((change) => ({
    ...shared,
    rule: "list_changed",
    about: redact(change.tool),
    text: redact(textOf(change)),
  }));
}

function textOf(change: ToolListChange): string {
  const text = texts[change.change];
  const isTold = change.change === "changed" && change.what !== undefined;
  return isTold ? `${text}: ${change.what}` : text;
}

const texts: { readonly [change in ToolListChange["change"]]: string } = {
  added: "the server lists it after the calls, and did not before",
  removed: "the server does not list it after the calls, and did before",
  changed: "the server lists another definition of it after the calls than before",
};
