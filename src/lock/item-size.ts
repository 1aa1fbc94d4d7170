import { isObject, type JsonObject } from "#wire/json.ts";
import { branchesOf, SchemaWalk, typeOf } from "#wire/schema-walk.ts";
import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { MeterRecord } from "#records/record.ts";

// For the same reason.
export const schemaSizeMax = 1_000_000_000;

// JSON text, before there is an answer.
export const charactersPerToken = 3.5;

/** When the schema states only the type. */
const typicalCharacters: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 6],
  ["number", 8],
  ["null", 4],
]);

const typicalString = 40;

/** With quotes. */
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

// Median over list items that public servers describe (docs/adr/0106-static-bounds.md).
export const baseTokensDefault = 70;

const innerItems = 3;

const perField = 4;

/** Compact JSON: keys, and the longest `enum`, `maxLength` or typical length of values. At least 1. */
export function itemTokens(schema: unknown, root: unknown = schema): number {
  const characters = itemCharacters(schema, new SchemaWalk(root), 0);
  return Math.max(1, Math.ceil(characters / charactersPerToken));
}

type Measure = (part: unknown) => number;

function itemCharacters(rawSchema: unknown, walk: SchemaWalk, level: number): number {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return typicalString;
  const known = fixedCharacters(schema);
  if (known !== undefined) return known;
  const inside: Measure = (part) => itemCharacters(part, walk, level + 1);
  const all = branchesOf(schema, "allOf").reduce<number>((sum, one) => sum + inside(one), 0);
  const type = typeOf(schema);
  if (type === "object") return all + objectCharacters(schema, inside);
  if (type === "array") return listCharacters(schema, inside);
  const either = [...branchesOf(schema, "anyOf"), ...branchesOf(schema, "oneOf")];
  if (either.length > 0) return all + Math.max(...either.map(inside));
  if (all > 0) return all;
  return typicalCharacters.get(type) ?? typicalString;
}

function listCharacters({ items, maxItems }: JsonObject, inside: Measure): number {
  const isLimited = typeof maxItems === "number" && maxItems >= 0;
  const count = isLimited ? Math.min(maxItems, innerItems) : innerItems;
  return 2 + count * (inside(items ?? {}) + 1);
}

function objectCharacters(schema: JsonObject, inside: Measure): number {
  const { properties, additionalProperties } = schema;
  const fields = Object.entries(isObject(properties) ? properties : {});
  const isUndescribed = fields.length === 0 && !isObject(additionalProperties);
  if (isUndescribed) return baseTokensDefault * charactersPerToken;
  let characters = 2;
  for (const [key, value] of fields) characters += key.length + perField + inside(value);
  if (isObject(additionalProperties)) {
    characters += innerItems * (typicalString + perField + inside(additionalProperties));
  }
  return characters;
}

/** By `const`, `enum`, `maxLength` or `format`. */
export function fixedCharacters(schema: JsonObject): number | undefined {
  if (schema["const"] !== undefined) return jsonLength(schema["const"]);
  const { enum: values, maxLength, format } = schema;
  if (Array.isArray(values) && values.length > 0) return Math.max(...values.map(jsonLength));
  const isLimited = typeof maxLength === "number" && maxLength >= 0 && maxLength <= schemaSizeMax;
  if (isLimited) return maxLength;
  return formatCharacters.get(format);
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}

/** Most bytes; undefined when it holds a list or a value of unlimited length. */
export function closedSize(schema: unknown, root: unknown = schema): number | undefined {
  return sizeOf(schema, new SchemaWalk(root), 0);
}

function sizeOf(rawSchema: unknown, walk: SchemaWalk, level: number): number | undefined {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return undefined;
  const fixed = fixedCharacters(schema);
  if (fixed !== undefined) return fixed;
  const type = typeOf(schema);
  if (type === "object") {
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const isOpen = isObject(schema["additionalProperties"]) || properties.length === 0;
    return isOpen ? undefined : sumSizes(properties.map((one) => sizeOf(one, walk, level + 1)));
  }
  return closedScalars.get(type);
}

const closedScalars: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 20],
  ["number", 24],
  ["null", 4],
]);

function sumSizes(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce<number | undefined>(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  );
}

/** Successful answers of a tool in recorded sessions. */
export type RecordedSizes = {
  readonly calls: number;
  readonly average_tokens: number;
  readonly max_tokens: number;
};

/** Of sessions with the server of that name, or with a tool of the same definition. */
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
    if (record.type === "definitions" && record.tools.some((one) => this.#hashes.has(one.sha256)))
      this.#sessions.add(record.session_id);
    if (record.type !== "call" || record.tool === null || record.outcome !== "ok") return;
    if (record.server !== this.#server && !this.#sessions.has(record.session_id)) return;
    const { calls, tokens, most } = this.#sums.get(record.tool) ?? { calls: 0, tokens: 0, most: 0 };
    const { output_tokens: size } = record;
    const sum = { calls: calls + 1, tokens: tokens + size, most: Math.max(most, size) };
    this.#sums.set(record.tool, sum);
  }

  of(tool: string): RecordedSizes | undefined {
    const sum = this.#sums.get(tool);
    if (!sum) return undefined;
    const { calls, tokens, most } = sum;
    return { calls, average_tokens: Math.round(tokens / calls), max_tokens: most };
  }
}
