import { isObject, type JsonObject } from "#wire/json.ts";
import { listBranches, SchemaWalk, inferType } from "#wire/schema-walk.ts";
import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { MeterRecord } from "#records/record.ts";

// Larger sizes are as meaningless as larger maxima (`schemaMaximumMax`).
export const schemaSizeMax = 1_000_000_000;

// Assumed for JSON text before any answer is known.
export const charactersPerToken = 3.5;

const typicalCharacters: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 6],
  ["number", 8],
  ["null", 4],
]);

const typicalString = 40;

// Lengths include the quotes.
const formatCharacters: ReadonlyMap<unknown, number> = new Map([
  ["date", 12],
  ["time", 16],
  ["date-time", 26],
  ["duration", 12],
  ["uuid", 38],
  ["email", 30],
  ["ipv4", 17],
  ["ipv6", 41],
  ["uri", 60],
  ["url", 60],
]);

// Median over the list items that public servers describe (docs/adr/0026-bounds-of-answers.md).
export const baseTokensDefault = 70;

const innerItems = 3;

const perField = 4;

export function estimateItemTokens(schema: unknown, root: unknown = schema): number {
  const characters = estimateCharacters(schema, new SchemaWalk(root), 0);
  return Math.max(1, Math.ceil(characters / charactersPerToken));
}

type Measure = (subschema: unknown) => number;

function estimateCharacters(rawSchema: unknown, walk: SchemaWalk, level: number): number {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return typicalString;
  const fixed = findFixedCharacters(schema);
  if (fixed !== undefined) return fixed;
  const measureNested: Measure = (subschema) => estimateCharacters(subschema, walk, level + 1);
  const allOfCharacters = listBranches(schema, "allOf").reduce<number>(
    (sum, branch) => sum + measureNested(branch),
    0,
  );
  const type = inferType(schema);
  if (type === "object") return allOfCharacters + estimateObject(schema, measureNested);
  if (type === "array") return estimateList(schema, measureNested);
  const alternatives = [...listBranches(schema, "anyOf"), ...listBranches(schema, "oneOf")];
  if (alternatives.length > 0)
    return allOfCharacters + Math.max(...alternatives.map(measureNested));
  if (allOfCharacters > 0) return allOfCharacters;
  return typicalCharacters.get(type) ?? typicalString;
}

function estimateList({ items, maxItems }: JsonObject, measureNested: Measure): number {
  const isLimited = typeof maxItems === "number" && maxItems >= 0;
  const count = isLimited ? Math.min(maxItems, innerItems) : innerItems;
  return 2 + count * (measureNested(items ?? {}) + 1);
}

function estimateObject(schema: JsonObject, measureNested: Measure): number {
  const { properties, additionalProperties } = schema;
  const fields = Object.entries(isObject(properties) ? properties : {});
  const isUndescribed = fields.length === 0 && !isObject(additionalProperties);
  if (isUndescribed) return baseTokensDefault * charactersPerToken;
  let characters = 2;
  for (const [key, value] of fields) characters += key.length + perField + measureNested(value);
  if (isObject(additionalProperties)) {
    characters += innerItems * (typicalString + perField + measureNested(additionalProperties));
  }
  return characters;
}

export function findFixedCharacters(schema: JsonObject): number | undefined {
  if (schema["const"] !== undefined) return measureJson(schema["const"]);
  const { enum: values, maxLength, format } = schema;
  if (Array.isArray(values) && values.length > 0) return Math.max(...values.map(measureJson));
  const isLimited = typeof maxLength === "number" && maxLength >= 0 && maxLength <= schemaSizeMax;
  if (isLimited) return maxLength;
  return formatCharacters.get(format);
}

function measureJson(value: unknown): number {
  return JSON.stringify(value).length;
}

/** The maximum in bytes; undefined if it contains a list or a value of unlimited length. */
export function measureClosed(schema: unknown, root: unknown = schema): number | undefined {
  return measureSchema(schema, new SchemaWalk(root), 0);
}

function measureSchema(rawSchema: unknown, walk: SchemaWalk, level: number): number | undefined {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return undefined;
  const fixed = findFixedCharacters(schema);
  if (fixed !== undefined) return fixed;
  const type = inferType(schema);
  if (type === "object") {
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const isOpen = isObject(schema["additionalProperties"]) || properties.length === 0;
    return isOpen
      ? undefined
      : sumSizes(properties.map((property) => measureSchema(property, walk, level + 1)));
  }
  return closedScalars.get(type);
}

const closedScalars: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 20],
  ["number", 24],
  ["null", 4],
]);

function sumSizes(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (total, size) => (total === undefined || size === undefined ? undefined : total + size),
    0,
  );
}

// Successful answers of a tool in recorded sessions.
export type RecordedSizes = {
  readonly calls: number;
  readonly average_tokens: number;
  readonly max_tokens: number;
};

export class RecordedAnswers {
  readonly #server: string | null;
  readonly #hashes: ReadonlySet<string>;
  readonly #sessions = new Set<string>();
  readonly #sums = new Map<string, { calls: number; tokens: number; most: number }>();

  constructor(server: string | null, tools: readonly Pick<ToolDefinition, "sha256">[]) {
    this.#server = server;
    this.#hashes = new Set(tools.map(({ sha256 }) => sha256));
  }

  add(record: MeterRecord): void {
    if (record.type === "definitions" && record.tools.some((tool) => this.#hashes.has(tool.sha256)))
      this.#sessions.add(record.session_id);
    if (record.type !== "call" || record.tool === null || record.outcome !== "ok") return;
    if (record.server !== this.#server && !this.#sessions.has(record.session_id)) return;
    const { calls, tokens, most } = this.#sums.get(record.tool) ?? { calls: 0, tokens: 0, most: 0 };
    const { output_tokens: size } = record;
    const sum = { calls: calls + 1, tokens: tokens + size, most: Math.max(most, size) };
    this.#sums.set(record.tool, sum);
  }

  find(tool: string): RecordedSizes | undefined {
    const sum = this.#sums.get(tool);
    if (!sum) return undefined;
    const { calls, tokens, most } = sum;
    return { calls, average_tokens: Math.round(tokens / calls), max_tokens: most };
  }
}
