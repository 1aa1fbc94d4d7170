import { emptyBill } from "#tokens/cost/countable.ts";
import { type DefinitionDeps, definitionName } from "#tokens/cost/begin-tool.ts";
import { draftDefinitions } from "#tokens/cost/definitions.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { DefinitionsRecord } from "#records/record.ts";
import { canonicalJson } from "#wire/canonical.ts";
import type { JsonObject } from "#wire/json.ts";
import { type CallDraftDeps, draftCall } from "./call-draft.ts";
import type { Draft } from "./draft.ts";
import type { Entry } from "./entry.ts";

export type DraftDeps = CallDraftDeps & DefinitionDeps;

export function draft(entry: Entry, reader: Reader, deps: DraftDeps): Draft {
  switch (entry.kind) {
    case "call":
      return draftCall(entry.call, entry.closing, reader, deps);
    case "definitions": {
      const { list, instructions } = entry;
      const { bill, finish } = draftDefinitions(list, instructions, reader, deps);
      return {
        bill,
        finish: (common, isUnread) => ({
          ...common,
          type: "definitions",
          ...finish(isUnread),
          list_state: list.state,
          ...viewTools(list.viewTools, deps),
        }),
      };
    }
    case "body":
      return { bill: emptyBill, finish: (common) => ({ ...common, ...entry.body }) };
  }
}

function viewTools(
  tools: readonly JsonObject[],
  { hash }: DefinitionDeps,
): Pick<DefinitionsRecord, "view_tools"> {
  if (tools.length === 0) return {};
  return {
    view_tools: tools.map((tool) => ({
      name: definitionName(tool),
      sha256: hash(canonicalJson(tool)),
    })),
  };
}
