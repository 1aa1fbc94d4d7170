import { isObject, readMember, type JsonObject } from "#wire/json.ts";

export function fieldRows(rawSchema: unknown, prefix = ""): string[][] {
  const properties = readMember(rawSchema, "properties");
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, rawField]) => {
    const path = `${prefix}${name}`;
    const inner = isObject(rawField) && rawField["items"] !== undefined ? "[]." : ".";
    const members = readMember(rawField, "items") ?? rawField;
    return [[path, typeText(rawField)], ...fieldRows(members, `${path}${inner}`)];
  });
}

const names: { readonly [type: string]: string } = {
  boolean: "true or false",
  integer: "integer",
  null: "null",
  number: "number",
  object: "object",
  string: "text",
};

function typeText(rawSchema: unknown): string {
  const schema: JsonObject = isObject(rawSchema) ? rawSchema : {};
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return either(schema["enum"].map(String));
  if (schema["type"] === "array") {
    return `list of ${readMember(schema, "items", "type") === "object" ? "objects" : "values"}`;
  }
  const types = [schema["type"]].flat().map(String);
  return either(types.map((type) => names[type] ?? type));
}

function either(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
