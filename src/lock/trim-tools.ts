import { attempt } from "#kit/errors.ts";
import { editElements } from "#wire/edit-line-bytes.ts";
import { parseExactly, writeExactly, replaceNonFinite } from "#wire/written-json.ts";
import { isEqual, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { decodePointerStep } from "#wire/schema-walk.ts";
import { isHiddenTool, type TrimRules } from "./hidden-tools.ts";

export type TrimmedTools = {
  readonly shown: readonly JsonObject[];
  readonly hidden: readonly JsonObject[];
  // Maps each shortened definition to the definition that the server sent.
  readonly unshortened: ReadonlyMap<JsonObject, JsonObject>;
};

export function trimTools(tools: readonly JsonObject[], rules: TrimRules): TrimmedTools {
  const { hidden = [], listed = [] } = Object.groupBy(tools, (tool) =>
    isOmitted(rules, tool) ? "hidden" : "listed",
  );
  const unshortened = new Map<JsonObject, JsonObject>();
  const shown = listed.map((tool) => {
    const short = shortenTool(tool, rules);
    if (short !== tool) unshortened.set(short, tool);
    return short;
  });
  return { shown, hidden, unshortened };
}

/** The answer to `tools/list` that the client receives; undefined if it cannot be edited. */
export function trimListLine(line: Uint8Array, rules: TrimRules): Uint8Array | undefined {
  return editElements(line, "tools", (element) => {
    const json = new TextDecoder().decode(element);
    const exact = attempt(() => parseExactly(json));
    // A tool with an unusual number, such as Python's NaN, cannot be rewritten, so it is not shortened.
    const tool = exact ?? attempt((): unknown => JSON.parse(replaceNonFinite(json) ?? json));
    if (!isObject(tool)) return element;
    if (isOmitted(rules, tool)) return undefined;
    const short = exact === undefined ? tool : shortenTool(tool, rules);
    if (short === tool) return element;
    const written = attempt(() => writeExactly(short, (value) => JSON.stringify(value)));
    return written === undefined ? element : new TextEncoder().encode(written);
  });
}

// An element without a name matches no pattern, so `only` omits it and `hide` does not.
function isOmitted(rules: TrimRules, tool: JsonObject): boolean {
  const name = readString(tool, "name");
  return name === undefined ? rules.only.length > 0 : isHiddenTool(rules, name);
}

// Returns the same object if nothing changes.
function shortenTool(tool: JsonObject, { isSlim, descriptionMax }: TrimRules): JsonObject {
  let short = isSlim ? slimTool(tool) : tool;
  if (descriptionMax !== undefined) short = shortenToolDescriptions(short, descriptionMax);
  return isEqual(short, tool) ? tool : short;
}

function shortenToolDescriptions(tool: JsonObject, charactersMax: number): JsonObject {
  const { description } = tool;
  const short = editInputSchema(tool, (schema) => shortenDescriptions(schema, charactersMax));
  if (typeof description !== "string") return short;
  return { ...short, description: shortenText(description, charactersMax) };
}

export function shortenDescriptions(schema: JsonObject, charactersMax: number): JsonObject {
  return mapSchemas(schema, "", (subschema) => {
    const { description } = subschema;
    if (typeof description !== "string" || description.length <= charactersMax) return undefined;
    return { ...subschema, description: shortenText(description, charactersMax) };
  });
}

const sentenceEnds = /[.!?](?=\s)|[。！？\n]/gu;

/** Cuts after the last sentence that fits. If that leaves too little, cuts after a word, or within a long word. */
export function shortenText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const start = text.slice(0, charactersMax + 1);
  const ends = [...start.matchAll(sentenceEnds)].map(({ index }) => index + 1);
  const end = ends.findLast((candidate) => candidate <= charactersMax) ?? 0;
  if (end * 2 >= charactersMax) return text.slice(0, end).trimEnd();
  const words = text.slice(0, charactersMax - 1).toWellFormed();
  const space = words.search(/\s+\S*$/u);
  return `${(space * 2 >= charactersMax ? words.slice(0, space) : words).replace(/\uFFFD$/u, "")}…`;
}

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
      const name = decodePointerStep(rawName);
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
