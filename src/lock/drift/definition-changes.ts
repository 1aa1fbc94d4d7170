import { isEqual } from "#wire/json-equal.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import type { DriftKind } from "../severity.ts";
import { changeOf, type DefinitionChange, type Values } from "./definition-change.ts";
import { inputSchemaChanges } from "./input-schema-changes.ts";
import { schemaChanges } from "./schema-changes.ts";
import { listText, valueText } from "./values.ts";

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
  if (key === "inputSchema") return inputSchemaChanges(values);
  if (key === "outputSchema" && isObject(before) && isObject(after)) {
    return schemaChanges("output", values);
  }
  if (key === "annotations") return annotationChanges(values);
  const consequence =
    key === "outputSchema" && after === undefined ? ": answers may have any form and size" : "";
  const what = `${key} ${verbFor(values)}${consequence}`;
  const change = changeOf(memberKind(key, values), what, values);
  return [key === "outputSchema" ? { ...change, ...fieldTexts(values) } : change];
}

function verbFor({ before, after }: Values): string {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

/** Each hint by itself; annotations without a hint, or of another type than an object, as a whole. */
function annotationChanges(annotations: Values): DefinitionChange[] {
  const { before = {}, after = {} } = annotations;
  const keys = isObject(before) && isObject(after) ? Object.keys({ ...before, ...after }) : [];
  const changes = keys.flatMap((key) => {
    const values = { before: memberAt(before, key), after: memberAt(after, key) };
    if (isEqual(values.before, values.after)) return [];
    return [changeOf("annotations_changed", `annotation ${key} ${verbFor(values)}`, values)];
  });
  if (changes.length > 0) return changes;
  return [changeOf("annotations_changed", `annotations ${verbFor(annotations)}`, annotations)];
}

/** An output schema by the names of its fields; its texts are in the diff. */
function fieldTexts({ before, after }: Values): Pick<DefinitionChange, "before" | "after"> {
  return { before: fieldText(before), after: fieldText(after) };
}

function fieldText(schema: unknown): string | null {
  const properties = memberAt(schema, "properties");
  const names = isObject(properties) ? Object.keys(properties) : [];
  if (names.length === 0) return valueText(schema);
  return `${names.length === 1 ? "field" : "fields"} ${listText(names)}`;
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
