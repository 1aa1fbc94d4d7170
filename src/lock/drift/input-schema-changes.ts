import { isObject } from "#wire/json.ts";
import { changeOf, type DefinitionChange, type Values } from "./definition-change.ts";
import { schemaChanges } from "./schema-changes.ts";

export function inputSchemaChanges(values: Values): DefinitionChange[] {
  const { before, after } = values;
  const [was, is] = [faultOf(before, "missing"), faultOf(after, "removed")];
  if (is !== undefined && isObject(before) && (was === undefined || !isObject(after))) {
    return [rejection(is, typesOf(values)), ...otherChanges(values)];
  }
  if (was === undefined || is !== undefined) return schemaChanges("input", values);
  // Arguments are always an object: the type narrows nothing.
  const what = "inputSchema is one that clients accept now";
  return [changeOf("input_widened", what, typesOf(values)), ...otherChanges(values)];
}

function typesOf({ before, after }: Values): Values {
  if (!isObject(before) || !isObject(after)) return { before, after };
  return { before: before["type"], after: after["type"] };
}

function otherChanges({ before, after }: Values): DefinitionChange[] {
  if (!isObject(before) || !isObject(after)) return [];
  const type = "object";
  return schemaChanges("input", { before: { ...before, type }, after: { ...after, type } });
}

/** Undefined when clients accept it. */
export function newSchemaRejection(schema: unknown): DefinitionChange | undefined {
  const fault = faultOf(schema, "missing");
  return fault === undefined ? undefined : rejection(fault, { before: undefined, after: schema });
}

// SDK clients reject the whole list when a tool's schema is not of type "object".
function faultOf(schema: unknown, absence: string): string | undefined {
  if (schema === undefined) return `inputSchema ${absence}`;
  if (!isObject(schema)) return "inputSchema is not an object";
  return schema["type"] === "object" ? undefined : 'inputSchema is not of type "object"';
}

function rejection(fault: string, values: Values): DefinitionChange {
  return changeOf("input_schema_rejected", `${fault}: clients reject the tool list`, values);
}
