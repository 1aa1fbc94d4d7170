import { describeSchema, describeValue, quote, type ValueSchema } from "./schema-words.ts";
import { nearestName } from "./nearest.ts";

type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: { readonly missingProperty?: string };
  readonly propertyName?: string;
  readonly parentSchema: ValueSchema;
  readonly data: unknown;
};

export type Validator<Value> = {
  (value: unknown): value is Value;
  readonly errors?: readonly SchemaError[] | null;
};

export type Mismatch = {
  readonly fault: string;
  readonly path: readonly string[];
  readonly part: "name" | "value";
};

export function validated<Value>(
  value: unknown,
  validate: Validator<Value>,
  nameOf: (steps: readonly string[]) => string = placeOf,
): { readonly value: Value } | Mismatch {
  if (validate(value)) return { value };
  const [error] = validate.errors ?? [];
  if (error) return mismatch(error, nameOf);
  return { fault: "it does not match its schema", path: [], part: "value" };
}

function mismatch(error: SchemaError, nameOf: (steps: readonly string[]) => string): Mismatch {
  const { keyword, parentSchema, data, params, instancePath, propertyName } = error;
  const path = stepsIn(instancePath);
  const place = nameOf(path);
  if (propertyName !== undefined) {
    const name = `${quote(propertyName)}${place === "" ? "" : ` in ${place}`}`;
    const fault = `${name} must be ${describeSchema(parentSchema)}`;
    return { fault, path: [...path, propertyName], part: "name" };
  }
  const known = parentSchema.properties ?? {};
  if (keyword === "additionalProperties" || keyword === "required") {
    // A misspelt name is both an unknown and a missing one; the unknown one is what to correct.
    const unknown = Object.keys(data ?? {}).find((name) => !Object.hasOwn(known, name));
    if (unknown !== undefined) {
      const fault = unknownProperty(unknown, place, Object.keys(known));
      return { fault, path: [...path, unknown], part: "name" };
    }
  }
  const missing = params.missingProperty;
  const fault =
    missing === undefined
      ? wrongValue(place, { keyword, parentSchema, data })
      : missingProperty(missing, place, known[missing] ?? {});
  return { fault, path, part: "value" };
}

function missingProperty(name: string, place: string, schema: SchemaError["parentSchema"]): string {
  const inside = place === "" ? name : `${place}.${name}`;
  return `${inside} is required and must be ${describeSchema(schema)}`;
}

function wrongValue(
  place: string,
  { keyword, parentSchema, data }: Pick<SchemaError, "keyword" | "parentSchema" | "data">,
): string {
  const isEmpty = data === "" || (keyword === "minItems" && Array.isArray(data) && !data.length);
  if (isEmpty || keyword === "minProperties") return `${place || "it"} must not be empty`;
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

function stepsIn(pointer: string): readonly string[] {
  if (pointer === "") return [];
  const steps = pointer.slice(1).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function placeOf(steps: readonly string[]): string {
  return steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
