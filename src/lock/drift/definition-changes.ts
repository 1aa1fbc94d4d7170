import { isEqual } from "#wire/json-equal.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import type { DriftKind } from "../severity.ts";
import { changeOf, type DefinitionChange, type Values } from "./definition-change.ts";
import { inputSchemaChanges } from "./input-schema-changes.ts";
import { isActedOn } from "./client-hints.ts";
import { schemaChanges } from "./schema-changes.ts";
import { listText, valueText } from "./values.ts";

const unread: ReadonlySet<string> = new Set(["icons"]);

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
  if (key === "outputSchema") return [outputSchemaChange(values)];
  return memberChange(key, values);
}

export function memberChange(key: string, values: Values): DefinitionChange[] {
  if (key === "annotations") return annotationChanges(values);
  if (key === "_meta") return metaChanges(values);
  return [changeOf(memberKind(key), `${key} ${verbFor(values)}`, values)];
}

// Anything but an object, such as null, limits no answer.
function outputSchemaChange(values: Values): DefinitionChange {
  const isRemoved = isObject(values.before) && !isObject(values.after);
  const what = isRemoved
    ? "outputSchema removed: answers may have any form and size"
    : `outputSchema ${verbFor(values)}`;
  const kind = isRemoved ? "output_schema_removed" : "output_schema_changed";
  return { ...changeOf(kind, what, values), ...fieldTexts(values) };
}

function verbFor({ before, after }: Values): string {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

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

/** Names of its fields; its texts are in the diff. */
function fieldTexts({ before, after }: Values): Pick<DefinitionChange, "before" | "after"> {
  return { before: fieldText(before), after: fieldText(after) };
}

function fieldText(schema: unknown): string | null {
  const properties = memberAt(schema, "properties");
  const names = isObject(properties) ? Object.keys(properties) : [];
  if (names.length === 0) return valueText(schema);
  return `${names.length === 1 ? "field" : "fields"} ${listText(names)}`;
}

// Clients act on some members; all others are a single change.
function metaChanges(meta: Values): DefinitionChange[] {
  const [before, after] = [membersOf(meta.before), membersOf(meta.after)];
  const acted = Object.keys({ ...before, ...after }).filter(isActedOn);
  const changes = acted.flatMap((key) => {
    const values = { before: memberAt(before, key), after: memberAt(after, key) };
    if (isEqual(values.before, values.after)) return [];
    return [changeOf("client_hint_changed", `_meta ${key} ${verbFor(values)}`, values)];
  });
  const others = {
    before: withoutMembers(meta.before, acted),
    after: withoutMembers(meta.after, acted),
  };
  if (changes.length > 0 && isEqual(others.before ?? {}, others.after ?? {})) return changes;
  return [...changes, changeOf("metadata_changed", `_meta ${verbFor(meta)}`, meta)];
}

function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function withoutMembers(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function memberKind(key: string): DriftKind {
  if (unread.has(key)) return "metadata_changed";
  return key === "description" ? "description_changed" : "text_changed";
}
