import type { DefinitionsCost } from "#tokens/cost/definitions-cost.ts";
import { priceDefinitions } from "#tokens/cost/definitions.ts";
import { descriptionTokensMax, driftLevelsMax } from "../limits.ts";
import { textAt, isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { percentOf } from "../answer-limits.ts";
import type { Profile, ProfileTerms, ServerListing } from "../profile.ts";

export const savingTokensMin = 20;

const savingPercentMin = 1;

// Two tools with the same description may be a coincidence.
const repeatedTextToolsMin = 3;

type Saving = {
  readonly kind:
    "long_description" | "schema_dialect" | "name_title" | "unused_definitions" | "repeated_text";
  readonly tokens: number;
  /** Of all definitions. */
  readonly percent_total: number;
  /** In the order of the list. */
  readonly tools: readonly string[];
  /** Begins with a verb. */
  readonly text: string;
};

export type PricedProfile = Profile & { readonly savings: readonly Saving[] };

type Change = Pick<Saving, "kind" | "tokens" | "tools" | "text">;

/** Largest first. Measured separately: together they may save less. */
export function findSavings(
  listing: ServerListing,
  definitions: DefinitionsCost,
  terms: ProfileTerms,
): Saving[] {
  const edited = (edit: SchemaEdit): Pick<Change, "tokens" | "tools"> =>
    measureEdit(edit, listing, definitions, terms);
  const changes: Change[] = [
    longDescriptions(definitions),
    { kind: "schema_dialect", ...edited(withoutDialect), text: "leave out $schema" },
    {
      kind: "name_title",
      ...edited(withoutNameTitles),
      text: "leave out titles that repeat the name of their parameter",
    },
    {
      kind: "unused_definitions",
      ...edited(withoutUnusedDefinitions),
      text: "leave out $defs that no parameter refers to",
    },
    repeatedTexts(listing, terms),
  ];
  const total = definitions.total_tokens;
  return changes
    .map((change) => ({ ...change, percent_total: percentOf(change.tokens, total) }))
    .filter(
      ({ tokens, percent_total: percent }) =>
        tokens >= savingTokensMin && percent >= savingPercentMin,
    )
    .toSorted((one, other) => other.tokens - one.tokens);
}

function longDescriptions({ tools }: DefinitionsCost): Change {
  const long = tools.filter(({ description_tokens: tokens }) => tokens > descriptionTokensMax);
  return {
    kind: "long_description",
    tokens: long.reduce((sum, { description_tokens: own }) => sum + own - descriptionTokensMax, 0),
    tools: long.map(({ name }) => name),
    text: `shorten descriptions to ${descriptionTokensMax} tokens`,
  };
}

function measureEdit(
  edit: SchemaEdit,
  { tools, skills, instructions }: ServerListing,
  before: DefinitionsCost,
  { reader, hash }: ProfileTerms,
): Pick<Change, "tokens" | "tools"> {
  const after = priceDefinitions({ tools: tools.map(edit), skills, instructions }, reader, hash);
  const changed = before.tools.filter(
    ({ tokens }, at) => tokens > (after.tools[at]?.tokens ?? tokens),
  );
  return {
    tokens: before.total_tokens - after.total_tokens,
    tools: changed.map(({ name }) => name),
  };
}

function repeatedTexts({ tools }: ServerListing, { reader }: ProfileTerms): Change {
  const users = new Map<string, number[]>();
  for (const [at, tool] of tools.entries()) {
    for (const text of parameterTexts(tool)) {
      const own = users.get(text) ?? [];
      own.push(at);
      users.set(text, own);
    }
  }
  const repeated = [...users].filter(([, own]) => own.length >= repeatedTextToolsMin);
  const places = new Set(repeated.flatMap(([, own]) => own));
  return {
    kind: "repeated_text",
    tokens: repeated.reduce(
      (sum, [text, own]) => sum + (own.length - 1) * reader.estimator.count(text),
      0,
    ),
    tools: tools.flatMap((tool, at) => (places.has(at) ? (textAt(tool, "name") ?? "") : [])),
    text: "state descriptions of parameters that several tools repeat once, in the instructions",
  };
}

/** Keeps the meaning. */
type SchemaEdit = (tool: JsonObject) => JsonObject;

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
