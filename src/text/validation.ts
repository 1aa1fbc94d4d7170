import { describeSchema, describeValue, quote, type ValueSchema } from "./schema-words.ts";
import { nearestName } from "./nearest.ts";

/** One mismatch, as the compiled validators report it. */
type SchemaError = {
  /** JSON pointer to the value, such as `/tools/3/tokens`; empty for the whole. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: { readonly missingProperty?: string };
  /** The schema that the value does not match. */
  readonly parentSchema: ValueSchema;
  readonly data: unknown;
};

/** A function that scripts/validators.ts compiled from a published JSON Schema. It stops at the first mismatch. */
export type Validator<Value> = {
  (value: unknown): value is Value;
  readonly errors?: readonly SchemaError[] | null;
};

/**
 * The value with its type, or the first mismatch as a sentence without a period that names the place:
 * `tools[3].tokens must be a whole number of at least 0, not -1`.
 */
export function validated<Value>(
  value: unknown,
  validate: Validator<Value>,
): { readonly value: Value } | { readonly fault: string } {
  if (validate(value)) return { value };
  const [error] = validate.errors ?? [];
  return { fault: error === undefined ? "it does not match its schema" : sentenceFor(error) };
}

function sentenceFor({ keyword, parentSchema, data, params, instancePath }: SchemaError): string {
  const place = placeOf(instancePath);
  const known = parentSchema.properties ?? {};
  if (keyword === "additionalProperties" || keyword === "required") {
    // A misspelt name is both an unknown and a missing one; the unknown one is what to correct.
    const unknown = Object.keys(data ?? {}).find((name) => !Object.hasOwn(known, name));
    if (unknown !== undefined) return unknownProperty(unknown, place, Object.keys(known));
  }
  const missing = params.missingProperty;
  if (missing !== undefined) return missingProperty(missing, place, known[missing] ?? {});
  return wrongValue(place, { keyword, parentSchema, data });
}

function missingProperty(name: string, place: string, schema: SchemaError["parentSchema"]): string {
  const inside = place === "" ? name : `${place}.${name}`;
  return `${inside} is required and must be ${describeSchema(schema)}`;
}

function wrongValue(
  place: string,
  { keyword, parentSchema, data }: Pick<SchemaError, "keyword" | "parentSchema" | "data">,
): string {
  if (data === "") return `${place} must not be empty`;
  const isMiscounted = keyword === "minItems" || keyword === "maxItems";
  const actual =
    isMiscounted && Array.isArray(data) ? data.length : describeValue(data, parentSchema);
  return `${place || "it"} must be ${describeSchema(parentSchema)}, not ${actual}`;
}

function unknownProperty(name: string, place: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const where = place === "" ? "" : ` in ${place}`;
  const hint = nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
  return `unknown property ${quote(name)}${where}${hint}`;
}

/** `/tools/3/tokens` as `tools[3].tokens`. */
function placeOf(pointer: string): string {
  return pointer
    .slice(1)
    .split("/")
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
