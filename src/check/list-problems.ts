import { type Offers, offersDrifts } from "#lock/drift/server-drifts.ts";
import type { JsonObject } from "#wire/json.ts";
import type { Redact } from "./redact.ts";
import type { Problem } from "./report.ts";
import { findToolListChanges, type ToolListChange } from "./tool-list-changes.ts";

export type Lists = {
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
};

export type LaterLists = Lists | { readonly fault: string };

/**
 * A server that changes a list with its calls shows a reviewer one list and a model another. The rules are those of
 * the lock, without cosmetic differences. `redact` removes secrets that the calls sent.
 */
export function findListProblems(before: Lists, later: LaterLists, redact: Redact): Problem[] {
  const shared = { level: "error", line: null, place: "list" } as const;
  if ("fault" in later) {
    const text = `its lists cannot be read again after the calls: ${redact(later.fault)}`;
    return [{ ...shared, rule: "list_unreadable", about: null, text }];
  }
  const tools = findToolListChanges(before.tools, later.tools).map((change) => ({
    about: redact(change.tool),
    text: redact(textOf(change)),
  }));
  const offers = offersDrifts(offersIn(before), offersIn(later))
    .filter(({ severity }) => severity !== "COSMETIC")
    .map(({ what }) => ({
      about: null,
      text: redact(`the server lists other texts after the calls than before: ${what}`),
    }));
  return [...tools, ...offers].map((one) => ({ ...shared, rule: "list_changed", ...one }));
}

function offersIn({ prompts, resourceTemplates }: Lists): Offers {
  return { prompts, resource_templates: resourceTemplates };
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
