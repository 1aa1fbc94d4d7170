import { attempt } from "#kit/errors.ts";
import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";

export type SchemaEdit = (schema: JsonObject, toolName?: string) => JsonObject;

export function editInputSchema(tool: JsonObject, edit: SchemaEdit): JsonObject {
  const schema = tool["inputSchema"];
  if (!isObject(schema)) return tool;
  return { ...tool, inputSchema: edit(schema, readString(tool, "name") ?? "") };
}

export function slimTool(tool: JsonObject): JsonObject {
  const edits: readonly SchemaEdit[] = [dropDialect, dropNameTitles, dropUnusedDefinitions];
  return edits.reduce((slim, edit) => editInputSchema(slim, edit), tool);
}

export function dropDialect({ $schema: _dialect, ...otherMembers }: JsonObject): JsonObject {
  return otherMembers;
}

// Drops titles that repeat a name: `File Path` for a parameter `file_path`, `findArguments` for a tool `find`.
export function dropNameTitles(schema: JsonObject, toolName = ""): JsonObject {
  return mapSchemas(schema, toolName, ({ title, ...otherMembers }, owner) => {
    const letters = typeof title === "string" ? keepLetters(title) : undefined;
    const ownerLetters = keepLetters(owner);
    const isSameName = letters === ownerLetters || letters === `${ownerLetters}arguments`;
    return isSameName && owner !== "" ? otherMembers : undefined;
  });
}

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const editedLevelsMax = 64;

const schemaKeywords = new Set([
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "additionalProperties",
]);
const schemaTables = new Set(["properties", "patternProperties", "$defs", "definitions"]);

// `edit` returns undefined to keep a schema. `owner` names the tool or parameter, or is empty.
export function mapSchemas(
  schema: JsonObject,
  owner: string,
  edit: (schema: JsonObject, owner: string) => JsonObject | undefined,
  level: number = 0,
): JsonObject {
  if (level > editedLevelsMax) return schema;
  const mapNested = (value: unknown, name: string): unknown =>
    isObject(value) ? mapSchemas(value, name, edit, level + 1) : value;
  const members = Object.entries(edit(schema, owner) ?? schema).map(([keyword, value]) => {
    if (schemaKeywords.has(keyword)) {
      const mapped = Array.isArray(value)
        ? value.map((item) => mapNested(item, ""))
        : mapNested(value, "");
      return [keyword, mapped];
    }
    if (!schemaTables.has(keyword) || !isObject(value)) return [keyword, value];
    const mapped = Object.entries(value).map(([name, subschema]) => [
      name,
      mapNested(subschema, keyword === "properties" ? name : ""),
    ]);
    return [keyword, Object.fromEntries(mapped)];
  });
  return Object.fromEntries(members);
}

export function dropUnusedDefinitions(schema: JsonObject): JsonObject {
  const { $defs, definitions, ...otherMembers } = schema;
  const tables = { $defs, definitions };
  const used = new Set<unknown>();
  const pending = [otherMembers as unknown];
  for (let subschema = pending.pop(); subschema !== undefined; subschema = pending.pop()) {
    for (const reference of findReferences(subschema)) {
      // The target of an anchor may be anywhere, so every definition stays.
      if (!reference.startsWith("#/") && reference !== "#") return schema;
      const [, table = "", rawName = ""] = reference.split("/");
      const name = attempt(() =>
        decodeURIComponent(rawName).replaceAll("~1", "/").replaceAll("~0", "~"),
      );
      if (name === undefined) return schema;
      const target = readMember(tables, table, name);
      if (target === undefined || used.has(target)) continue;
      used.add(target);
      pending.push(target);
    }
  }
  const usedTables = Object.entries(tables).map(
    ([key, table]) => [key, filterUsed(table, used)] as const,
  );
  return {
    ...otherMembers,
    ...Object.fromEntries(usedTables.filter(([, table]) => table !== undefined)),
  };
}

function filterUsed(table: unknown, used: ReadonlySet<unknown>): unknown {
  if (!isObject(table)) return table;
  const entries = Object.entries(table).filter(([, definition]) => used.has(definition));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function findReferences(schema: unknown): string[] {
  const matches = JSON.stringify(schema).matchAll(
    /"\$(?:ref|dynamicRef|recursiveRef)":("(?:[^"\\]|\\.)*")/g,
  );
  return [...matches].map(([, json = ""]): string => JSON.parse(json));
}
