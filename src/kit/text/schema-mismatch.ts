import { findNearestName } from "./match-names.ts";
import { quotedCharactersMax } from "../limits.ts";
import { joinWords } from "../sentences.ts";

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

export function validateValue<Value>(
  value: unknown,
  validate: Validator<Value>,
  describePath: (steps: readonly string[]) => string = formatPath,
): { readonly value: Value } | Mismatch {
  if (validate(value)) return { value };
  const [error] = validate.errors ?? [];
  if (error) return describeMismatch(error, describePath);
  return { fault: "it does not match its schema", path: [], part: "value" };
}

function describeMismatch(
  error: SchemaError,
  describePath: (steps: readonly string[]) => string,
): Mismatch {
  const { keyword, parentSchema, data, params, instancePath, propertyName } = error;
  const path = parsePointer(instancePath);
  const location = describePath(path);
  if (propertyName !== undefined) {
    const name = `${quote(propertyName)}${location === "" ? "" : ` in ${location}`}`;
    const fault = `${name} must be ${describeSchema(parentSchema)}`;
    return { fault, path: [...path, propertyName], part: "name" };
  }
  const known = parentSchema.properties ?? {};
  if (keyword === "additionalProperties" || keyword === "required") {
    // A misspelt required name makes one name unknown and another missing. The unknown name is reported, because
    // the user must correct that one.
    const unknown = Object.keys(data ?? {}).find((name) => !Object.hasOwn(known, name));
    if (unknown !== undefined) {
      const fault = describeUnknownProperty(unknown, location, Object.keys(known));
      return { fault, path: [...path, unknown], part: "name" };
    }
  }
  const missing = params.missingProperty;
  const fault =
    missing === undefined
      ? describeWrongValue(location, { keyword, parentSchema, data })
      : describeMissingProperty(missing, location, known[missing] ?? {});
  return { fault, path, part: "value" };
}

function describeMissingProperty(name: string, path: string, schema: ValueSchema): string {
  const fullName = path === "" ? name : `${path}.${name}`;
  return `${fullName} is required and must be ${describeSchema(schema)}`;
}

function describeWrongValue(
  path: string,
  { keyword, parentSchema, data }: Pick<SchemaError, "keyword" | "parentSchema" | "data">,
): string {
  const isEmpty = data === "" || (keyword === "minItems" && Array.isArray(data) && !data.length);
  if (isEmpty || keyword === "minProperties") return `${path || "it"} must not be empty`;
  const isMiscounted = keyword === "minItems" || keyword === "maxItems";
  const actual =
    isMiscounted && Array.isArray(data) ? data.length : describeValue(data, parentSchema);
  return `${path || "it"} must be ${describeSchema(parentSchema)}, not ${actual}`;
}

function describeUnknownProperty(name: string, path: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  const where = path === "" ? "" : ` in ${path}`;
  const hint = nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
  return `unknown property ${quote(name)}${where}${hint}`;
}

function parsePointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  const steps = pointer.slice(1).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function formatPath(steps: readonly string[]): string {
  return steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

export type ValueSchema = {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly const?: string | number;
  readonly enum?: readonly (string | number | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: ValueSchema };
};

// Returns the words after "must be", such as `a whole number from 1 to 100` or `"tool" or "rpc"`.
export function describeSchema(schema: ValueSchema): string {
  const choices = schema.const === undefined ? schema.enum : [schema.const];
  const alternatives =
    choices?.map((choice) => JSON.stringify(choice)) ??
    listTypes(schema).map((type) => kindDescribers[type]?.(schema) ?? type);
  return joinWords(alternatives, "or");
}

// Objects and lists may contain secrets. So may a text that the user wrote instead of an object or list.
export function describeValue(value: unknown, schema: ValueSchema): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const isContainer = listTypes(schema).some((type) => type === "object" || type === "array");
  return isContainer ? "text" : quote(value);
}

export function quote(text: string): string {
  return JSON.stringify(
    text.length > quotedCharactersMax ? `${text.slice(0, quotedCharactersMax)}…` : text,
  );
}

function listTypes({ type = [] }: ValueSchema): readonly string[] {
  return typeof type === "string" ? [type] : type;
}

const kindDescribers: { readonly [type: string]: (schema: ValueSchema) => string } = {
  integer: ({ minimum, maximum }) => `a whole number${formatRange(minimum, maximum)}`,
  number: ({ minimum, maximum }) => `a number${formatRange(minimum, maximum)}`,
  string: ({ pattern, title = "text in a different format", minLength, maxLength }) => {
    if (pattern !== undefined) return title;
    const limit = maxLength === undefined ? "" : ` of at most ${maxLength} characters`;
    return `${minLength === undefined ? "text" : "non-empty text"}${limit}`;
  },
  boolean: () => "true or false",
  object: () => "an object",
  array: ({ minItems, maxItems, title }) => title ?? `a list${formatLength(minItems, maxItems)}`,
  null: () => "null",
};

function formatRange(min: number | undefined, max: number = Infinity): string {
  if (max < Number.MAX_SAFE_INTEGER) return ` from ${min ?? 0} to ${max}`;
  return min === undefined ? "" : ` of at least ${min}`;
}

function formatLength(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? "" : ` of at most ${max} items`;
  if (max !== undefined) return min === max ? ` of ${min} items` : ` of ${min} to ${max} items`;
  return ` of at least ${min} item${min === 1 ? "" : "s"}`;
}
