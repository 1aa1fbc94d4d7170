import { driftLevelsMax } from "../limits.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";

/** Keeps the meaning. */
export type SchemaEdit = (tool: JsonObject) => JsonObject;

// No model needs the dialect.
export const withoutDialect: SchemaEdit = (tool) => {
  const input = tool["inputSchema"];
  if (!isObject(input)) return tool;
  const { $schema: _dialect, ...rest } = input;
  return { ...tool, inputSchema: rest };
};

/** Generators write such titles: `"file_path": {"title": "File Path"}`. */
export const withoutNameTitles: SchemaEdit = (tool) => {
  const input = tool["inputSchema"];
  return isObject(input) ? { ...tool, inputSchema: withoutTitlesIn(input, 0) } : tool;
};

function withoutTitlesIn(schema: JsonObject, level: number): JsonObject {
  if (level > driftLevelsMax) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      keyword === "properties" && isObject(value)
        ? propertiesWithoutTitles(value, level)
        : editedParts(keyword, value, level),
    ]),
  );
}

function propertiesWithoutTitles(properties: JsonObject, level: number): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!isObject(schema)) return [name, schema];
      const { title, ...rest } = schema;
      const isName = typeof title === "string" && letters(title) === letters(name);
      return [name, withoutTitlesIn(isName ? rest : schema, level + 1)];
    }),
  );
}

/** Their values are schemas, or lists or tables of schemas. */
const schemaKeywords = new Set(["items", "anyOf", "oneOf", "allOf", "additionalProperties"]);
const schemaTables = new Set(["$defs", "definitions"]);

function editedParts(keyword: string, value: unknown, level: number): unknown {
  const edited = (one: unknown): unknown => (isObject(one) ? withoutTitlesIn(one, level + 1) : one);
  if (schemaKeywords.has(keyword)) return Array.isArray(value) ? value.map(edited) : edited(value);
  if (!schemaTables.has(keyword) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, edited(one)]));
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export const withoutUnusedDefinitions: SchemaEdit = (tool) => {
  const input = tool["inputSchema"];
  return isObject(input) ? { ...tool, inputSchema: withUsedDefinitions(input) } : tool;
};

function withUsedDefinitions(schema: JsonObject): JsonObject {
  const { $defs, definitions, ...rest } = schema;
  const tables = { $defs, definitions };
  const used = new Set<unknown>();
  const open = [rest as unknown];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const reference of referencesIn(part)) {
      // An anchor may be anywhere.
      if (!reference.startsWith("#/") && reference !== "#") return schema;
      const [, table = "", rawName = ""] = reference.split("/");
      const name = decoded(rawName);
      if (name === undefined) return schema;
      const target = memberAt(tables, table, name);
      if (target === undefined || used.has(target)) continue;
      used.add(target);
      open.push(target);
    }
  }
  const kept = Object.entries(tables).map(([key, table]) => [key, usedIn(table, used)] as const);
  return { ...rest, ...Object.fromEntries(kept.filter(([, table]) => table !== undefined)) };
}

function decoded(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}

/** Undefined without any; unchanged when it is not a table. */
function usedIn(table: unknown, used: ReadonlySet<unknown>): unknown {
  if (!isObject(table)) return table;
  const entries = Object.entries(table).filter(([, one]) => used.has(one));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function referencesIn(schema: unknown): string[] {
  const found = JSON.stringify(schema).matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g);
  return [...found].map(([, json = ""]): string => JSON.parse(json));
}

export function parameterTexts(tool: JsonObject): ReadonlySet<string> {
  const properties = memberAt(tool, "inputSchema", "properties");
  const schemas = isObject(properties) ? Object.values(properties) : [];
  const texts = schemas.map((schema) => memberAt(schema, "description"));
  return new Set(texts.filter((text) => typeof text === "string"));
}
