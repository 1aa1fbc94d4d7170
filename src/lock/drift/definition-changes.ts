import { isEqual } from "#wire/json-equal.ts";
import { isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";
import type { DriftKind } from "../drift.ts";
import { changeOf, type DefinitionChange, type Values } from "./change.ts";
import { schemaChanges, verbFor } from "./schema-changes.ts";

/** Members of `_meta` on which clients act: kept answer size, immediate loading, a page to show. */
const actedOn =
  /^(?:ui$|ui\/|(?:[\w-]+\.)*(?:anthropic|claude|openai|google|gemini|github|microsoft|vscode|cursor|mcp|modelcontextprotocol)(?:\.[\w-]+)*\/)/i;

export function definitionChanges(before: JsonObject, after: JsonObject): DefinitionChange[] {
  const members = differingMembers(before, after);
  const changes = members.flatMap(([key, values]) => memberChanges(key, values));
  if (changes.length > 0 || members.length === 0) return changes;
  return [changeOf("definition_rewritten", "order or spelling changed, same meaning", nothing)];
}

const nothing: Values = { before: undefined, after: undefined };

export function differingMembers(before: unknown, after: unknown): [key: string, Values][] {
  const objects = [before, after].filter(isObject);
  return [...new Set(objects.flatMap(Object.keys))].flatMap((key): [string, Values][] => {
    const values = { before: memberAt(before, key), after: memberAt(after, key) };
    return isEqual(values.before, values.after) ? [] : [[key, values]];
  });
}

const comparisons = new Map([
  ["inputSchema", inputSchemaChanges],
  ["outputSchema", outputSchemaChanges],
  ["arguments", argumentChanges],
  ["annotations", annotationChanges],
  ["_meta", metaChanges],
]);

function memberChanges(key: string, values: Values): DefinitionChange[] {
  const compare = comparisons.get(key);
  if (compare) return compare(values);
  if (key === "icons") return [memberChange("metadata_changed", key, values)];
  return [
    memberChange(key === "description" ? "description_changed" : "text_changed", key, values),
  ];
}

function memberChange(kind: DriftKind, name: string, values: Values): DefinitionChange {
  return { ...changeOf(kind, `${name} ${verbFor(values)}`, values), at: name };
}

function inputSchemaChanges(values: Values): DefinitionChange[] {
  const { before, after } = values;
  const [was, is] = [schemaFault(before), schemaFault(after)];
  const changes =
    isObject(before) && isObject(after)
      ? // Arguments are an object in any case.
        schemaChanges("input", {
          before: { ...before, type: "object" },
          after: { ...after, type: "object" },
        })
      : [];
  if (is !== undefined && is !== was) return [rejection(is, values), ...changes];
  if (was === undefined || is !== undefined) return changes;
  const what = "inputSchema is one that clients accept now";
  return [changeOf("input_safe", what, typesOf(values)), ...changes];
}

export function newSchemaRejection(schema: unknown): DefinitionChange | undefined {
  const fault = schemaFault(schema);
  return fault === undefined ? undefined : rejection(fault, { before: undefined, after: schema });
}

// SDK clients reject the whole list when a tool's schema is not of type "object".
function schemaFault(schema: unknown): string | undefined {
  if (schema === undefined) return "inputSchema missing";
  if (!isObject(schema)) return "inputSchema is not an object";
  return schema["type"] === "object" ? undefined : 'inputSchema is not of type "object"';
}

function rejection(fault: string, values: Values): DefinitionChange {
  return changeOf(
    "input_schema_rejected",
    `${fault}: clients reject the tool list`,
    typesOf(values),
  );
}

function typesOf(values: Values): Values {
  const { before, after } = values;
  if (!isObject(before) || !isObject(after)) return values;
  return { before: before["type"], after: after["type"] };
}

// Anything but an object, such as null, limits no answer.
function outputSchemaChanges(values: Values): DefinitionChange[] {
  const [was, is] = [isObject(values.before), isObject(values.after)];
  if (was && is) return schemaChanges("output", values);
  const what = "outputSchema removed: answers may have any form and size";
  if (was) return [changeOf("output_schema_removed", what, nothing)];
  return [changeOf("output_schema_changed", `outputSchema ${verbFor(values)}`, nothing)];
}

function annotationChanges(values: Values): DefinitionChange[] {
  const members = differingMembers(values.before, values.after);
  const areObjects = [values.before ?? {}, values.after ?? {}].every(isObject);
  return members.length === 0 || !areObjects
    ? [memberChange("annotations_changed", "annotations", values)]
    : members.map(([key, hint]) => memberChange("annotations_changed", `annotation ${key}`, hint));
}

function metaChanges(values: Values): DefinitionChange[] {
  const members = differingMembers(values.before, values.after);
  const acted = members.filter(([key]) => actedOn.test(key));
  const isMore = acted.length < members.length || members.length === 0;
  return [
    ...acted.map(([key, one]) => memberChange("client_hint_changed", `_meta ${key}`, one)),
    ...(isMore ? [memberChange("metadata_changed", "_meta", values)] : []),
  ];
}

// Arguments of a prompt are compared as parameters, and as a whole where their list is invalid.
function argumentChanges(values: Values): DefinitionChange[] {
  const [was, is] = [parametersIn(values.before), parametersIn(values.after)];
  if (!was || !is) return [memberChange("text_changed", "arguments", values)];
  const changes = schemaChanges("input", { before: schemaFor(was), after: schemaFor(is) });
  const order = {
    before: [...was.keys()].filter((name) => is.has(name)),
    after: [...is.keys()].filter((name) => was.has(name)),
  };
  if (isEqual(order.before, order.after)) return changes;
  // Some clients assign the words after a command by position.
  return [...changes, memberChange("text_changed", "order of arguments", order)];
}

/** Undefined when a name is missing or repeated, or `required` is unreadable. */
function parametersIn(value: unknown = []): ReadonlyMap<string, JsonObject> | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = new Map<string, JsonObject>();
  for (const one of value) {
    const name = textAt(one, "name");
    if (!isObject(one) || name === undefined || found.has(name)) return undefined;
    if (!["boolean", "undefined"].includes(typeof one["required"])) return undefined;
    found.set(name, one);
  }
  return found;
}

function schemaFor(parameters: ReadonlyMap<string, JsonObject>): JsonObject {
  const schemas = [...parameters].map(([key, { name: _name, required: _required, ...schema }]) => [
    key,
    schema,
  ]);
  const required = [...parameters].filter(([, one]) => one["required"] === true);
  return {
    type: "object",
    properties: Object.fromEntries(schemas),
    required: required.map(([name]) => name),
    additionalProperties: false,
  };
}
