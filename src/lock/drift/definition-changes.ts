import { isEqual } from "#wire/json-equal.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import type { DriftKind } from "../severity.ts";
import { changeOf, type DefinitionChange, type Values } from "./definition-change.ts";
import { schemaChanges } from "./schema-changes.ts";

/** Members of a definition that neither a model nor a caller reads. */
const unread: ReadonlySet<string> = new Set(["_meta", "icons"]);

/** Every change from one definition of a tool to another. */
export function definitionChanges(before: JsonObject, after: JsonObject): DefinitionChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const values = { before: memberAt(before, key), after: memberAt(after, key) };
    return isEqual(values.before, values.after) ? [] : memberChanges(key, values);
  });
}

function memberChanges(key: string, values: Values): DefinitionChange[] {
  const { before, after } = values;
  if (key === "inputSchema") return schemaChanges("input", values);
  if (key === "outputSchema" && isObject(before) && isObject(after)) {
    return schemaChanges("output", values);
  }
  const verb = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const consequence =
    key === "outputSchema" && after === undefined ? ": answers may have any form and size" : "";
  return [changeOf(memberKind(key, values), `${key} ${verb}${consequence}`, values)];
}

function memberKind(key: string, { after }: Values): DriftKind {
  if (unread.has(key)) return "metadata_changed";
  switch (key) {
    case "outputSchema":
      return after === undefined ? "output_schema_removed" : "output_schema_changed";
    case "description":
      return "description_changed";
    case "annotations":
      return "annotations_changed";
    default:
      return "text_changed";
  }
}
