import { computePercent, type DefinitionsCost } from "#tokens/cost/definitions-cost.ts";
import { attempt } from "#kit/errors.ts";
import { estimateDefinitions } from "#tokens/cost/definitions.ts";
import { readString, isObject, readMember, type JsonObject } from "#wire/json.ts";
import { type Profile, type ProfileTerms, type ServerListing } from "./profile.ts";
import { descriptionTokensMax } from "./recommendations.ts";

export const savingTokensMin = 20;

const savingPercentMin = 1;

// Two equal descriptions may be a coincidence.
const repeatedTextToolsMin = 3;

const editedLevelsMax = 64;

type Saving = {
  readonly kind:
    "long_description" | "schema_dialect" | "name_title" | "unused_definitions" | "repeated_text";
  readonly tokens: number;
  readonly percent_total: number;
  readonly tools: readonly string[];
  // Begins with a verb.
  readonly text: string;
};

export type PricedProfile = Profile & { readonly savings: readonly Saving[] };

type Candidate = Omit<Saving, "percent_total">;

// Largest first. Each is measured separately; together they may save less.
export function findSavings(
  listing: ServerListing,
  definitions: DefinitionsCost,
  terms: ProfileTerms,
): Saving[] {
  const candidates: Candidate[] = [
    findLongDescriptions(definitions),
    ...edits.map(({ edit, kind, text }) => {
      const measured = measureEdit(edit, listing, definitions, terms);
      return { kind, ...measured, text };
    }),
    findRepeatedTexts(listing, terms),
  ];
  const total = definitions.total_tokens;
  return candidates
    .map((saving) => ({ ...saving, percent_total: computePercent(saving.tokens, total) }))
    .filter(
      ({ tokens, percent_total: percent }) =>
        tokens >= savingTokensMin && percent >= savingPercentMin,
    )
    .toSorted((a, b) => b.tokens - a.tokens);
}

function findLongDescriptions({ tools }: DefinitionsCost): Candidate {
  const longTools = tools.filter(({ description_tokens: tokens }) => tokens > descriptionTokensMax);
  return {
    kind: "long_description",
    tokens: longTools.reduce(
      (sum, tool) => sum + tool.description_tokens - descriptionTokensMax,
      0,
    ),
    tools: longTools.map(({ name }) => name),
    text: `shorten descriptions to ${descriptionTokensMax} tokens`,
  };
}

function measureEdit(
  edit: SchemaEdit,
  { tools, skills, instructions }: ServerListing,
  before: DefinitionsCost,
  { reader, hash }: ProfileTerms,
): Pick<Candidate, "tokens" | "tools"> {
  const edited = tools.map((tool) => {
    const input = tool["inputSchema"];
    return isObject(input) ? { ...tool, inputSchema: edit(input) } : tool;
  });
  const after = estimateDefinitions({ tools: edited, skills, instructions }, reader, hash);
  const changed = before.tools.filter(
    ({ tokens }, at) => tokens > (after.tools[at]?.tokens ?? tokens),
  );
  return {
    tokens: before.total_tokens - after.total_tokens,
    tools: changed.map(({ name }) => name),
  };
}

function findRepeatedTexts({ tools }: ServerListing, { reader }: ProfileTerms): Candidate {
  const toolsByText = new Map<string, number[]>();
  for (const [at, tool] of tools.entries()) {
    for (const text of collectParameterTexts(tool)) {
      const indices = toolsByText.get(text) ?? [];
      indices.push(at);
      toolsByText.set(text, indices);
    }
  }
  const repeated = [...toolsByText].filter(([, indices]) => indices.length >= repeatedTextToolsMin);
  const toolIndices = new Set(repeated.flatMap(([, indices]) => indices));
  return {
    kind: "repeated_text",
    tokens: repeated.reduce(
      (sum, [text, indices]) => sum + (indices.length - 1) * reader.estimator.count(text),
      0,
    ),
    tools: tools.flatMap((tool, at) =>
      toolIndices.has(at) ? (readString(tool, "name") ?? "") : [],
    ),
    text: "move parameter descriptions that several tools repeat into the instructions",
  };
}

type SchemaEdit = (schema: JsonObject) => JsonObject;

const edits: readonly (Pick<Candidate, "kind" | "text"> & { readonly edit: SchemaEdit })[] = [
  { edit: dropDialect, kind: "schema_dialect", text: "drop $schema" },
  {
    edit: (schema) => dropNameTitles(schema),
    kind: "name_title",
    text: "drop titles that repeat the parameter's name",
  },
  { edit: dropUnusedDefinitions, kind: "unused_definitions", text: "drop unused $defs" },
];

// No model needs the dialect of a schema.
export function dropDialect({ $schema: _dialect, ...otherMembers }: JsonObject): JsonObject {
  return otherMembers;
}

// Generators write such titles: `"file_path": {"title": "File Path"}`.
export function dropNameTitles(schema: JsonObject, level: number = 0): JsonObject {
  if (level > editedLevelsMax) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      keyword === "properties" && isObject(value)
        ? dropPropertyTitles(value, level)
        : editSubschemas(keyword, value, level),
    ]),
  );
}

function dropPropertyTitles(properties: JsonObject, level: number): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!isObject(schema)) return [name, schema];
      const { title, ...otherMembers } = schema;
      const isSameName = typeof title === "string" && keepLetters(title) === keepLetters(name);
      return [name, dropNameTitles(isSameName ? otherMembers : schema, level + 1)];
    }),
  );
}

// The value of these is a schema or a list of schemas; of `schemaTables`, schemas by name.
const schemaKeywords = new Set(["items", "anyOf", "oneOf", "allOf", "additionalProperties"]);
const schemaTables = new Set(["$defs", "definitions"]);

function editSubschemas(keyword: string, value: unknown, level: number): unknown {
  const edit = (subschema: unknown): unknown =>
    isObject(subschema) ? dropNameTitles(subschema, level + 1) : subschema;
  if (schemaKeywords.has(keyword)) return Array.isArray(value) ? value.map(edit) : edit(value);
  if (!schemaTables.has(keyword) || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, subschema]) => [name, edit(subschema)]),
  );
}

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function dropUnusedDefinitions(schema: JsonObject): JsonObject {
  const { $defs, definitions, ...otherMembers } = schema;
  const tables = { $defs, definitions };
  const used = new Set<unknown>();
  const pending = [otherMembers as unknown];
  for (let subschema = pending.pop(); subschema !== undefined; subschema = pending.pop()) {
    for (const reference of findReferences(subschema)) {
      // An anchor may be anywhere in the schema.
      if (!reference.startsWith("#/") && reference !== "#") return schema;
      const [, table = "", rawName = ""] = reference.split("/");
      const name = decodeSegment(rawName);
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

function decodeSegment(segment: string): string | undefined {
  return attempt(() => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function filterUsed(table: unknown, used: ReadonlySet<unknown>): unknown {
  if (!isObject(table)) return table;
  const entries = Object.entries(table).filter(([, definition]) => used.has(definition));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function findReferences(schema: unknown): string[] {
  const matches = JSON.stringify(schema).matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g);
  return [...matches].map(([, json = ""]): string => JSON.parse(json));
}

export function collectParameterTexts(tool: JsonObject): ReadonlySet<string> {
  const properties = readMember(tool, "inputSchema", "properties");
  const schemas = isObject(properties) ? Object.values(properties) : [];
  const texts = schemas.map((schema) => readMember(schema, "description"));
  return new Set(texts.filter((text) => typeof text === "string"));
}
